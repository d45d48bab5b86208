// Scripts as TypeScript reads them: what they import, and which texts and names stand in them.

import assert from "node:assert/strict";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

/** @import { BinaryExpression, ImportDeclaration, NewExpression, Node, StringLiteral } from "typescript/unstable/ast" */

export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
export const PROJECT = "vitviz/frontend/tsconfig.json";

const TEXTS = [
    SyntaxKind.StringLiteral,
    SyntaxKind.NoSubstitutionTemplateLiteral,
    SyntaxKind.TemplateHead,
    SyntaxKind.TemplateMiddle,
    SyntaxKind.TemplateTail,
];
const DECLARATIONS = [
    SyntaxKind.ClassDeclaration,
    SyntaxKind.FunctionDeclaration,
    SyntaxKind.GetAccessor,
    SyntaxKind.MethodDeclaration,
    SyntaxKind.VariableDeclaration,
];

/** Of scripts by their paths in the repository what they import, declare and make, the texts in them, those that are
 *  compared with a page, and the properties they read. @param {string} root @param {ConstructorParameters<typeof API>[0]} [options] */
export function parsed(root, options) {
    const api = new API({ ...options, cwd: root });
    const [project] = api.updateSnapshot({ openProjects: [join(root, PROJECT)] }).getProjects();
    const names = project.program.getSourceFileNames().filter((name) => name.startsWith(root) && name.endsWith(".js"));
    const scripts = names.map((name) => {
        const script = posix.relative(root, name);
        const [texts, compared, reads, declares, makes] = [1, 2, 3, 4, 5].map(() => new Set([""]));
        const found = { imports: [""].slice(1), texts, compared, reads, declares, makes };
        const visit = (/** @type {Node} */ node) => {
            const { text } = /** @type {StringLiteral} */ (node);
            if (TEXTS.includes(node.kind)) found.texts.add(text);
            if (DECLARATIONS.includes(node.kind))
                found.declares.add(
                    /** @type {{ name?: Node }} */ (/** @type {unknown} */ (node)).name?.getText() ?? "",
                );
            if (node.kind === SyntaxKind.PropertyAccessExpression) found.reads.add(node.getText());
            if (node.kind === SyntaxKind.NewExpression)
                found.makes.add(/** @type {NewExpression} */ (node).expression.getText());
            if (node.kind === SyntaxKind.ImportDeclaration) {
                const from = /** @type {StringLiteral} */ (/** @type {ImportDeclaration} */ (node).moduleSpecifier);
                found.imports.push(target(script, from.text));
            }
            if (node.kind === SyntaxKind.BinaryExpression) {
                const { left, right } = /** @type {BinaryExpression} */ (node);
                const [one, other] = [left, right].map((side) => side.getText());
                if ([one, other].some((side) => side.endsWith("page") || side.endsWith("stem")))
                    for (const side of [left, right])
                        if (TEXTS.includes(side.kind)) found.compared.add(/** @type {StringLiteral} */ (side).text);
            }
            node.forEachChild(visit);
        };
        const file = project.program.getSourceFile(name);
        assert.ok(file);
        file.forEachChild(visit);
        return /** @type {const} */ ([script, found]);
    });
    api.close();
    return new Map(scripts);
}

/** The path of what a script imports. @param {string} script @param {string} name */
export function target(script, name) {
    const [first, ...rest] = name.split("/");
    const folder = { "#frontend": "vitviz/frontend", "#pages": "pages" }[first];
    return folder ? posix.join(folder, ...rest) : posix.join(posix.dirname(script), name);
}

/** All scripts of the front end and of pages. */
export const SCRIPTS = parsed(ROOT);
