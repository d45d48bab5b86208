// The first script of every page: a secret that comes with the lecturer's address leaves it before anything is drawn.
// The window finds it in the tab's own storage (room.js).
function takeSecret() {
    const secret = /\/lecturer$/.test(location.pathname) && new URLSearchParams(location.hash.slice(1)).get("token");
    if (!secret) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    try {
        sessionStorage.setItem("vitviz_secret", secret);
    } catch {} // where storage is blocked, the lecturer types it
}
takeSecret();
addEventListener("hashchange", takeSecret);
