// The first script of every page: a secret that comes with the lecturer's address leaves it before anything is drawn.
// The window finds it in the tab's own storage (room.js). What the page is called from which lectures are led, the server
// writes into it (vitviz/ui/server/first_page.py).
function takeSecret() {
    const secret = location.pathname.endsWith("/{leads}") && new URLSearchParams(location.hash.slice(1)).get("token");
    if (!secret) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    try {
        sessionStorage.setItem("vitviz_secret", secret);
    } catch {} // where storage is blocked, the lecturer types it
}
takeSecret();
addEventListener("hashchange", takeSecret);
