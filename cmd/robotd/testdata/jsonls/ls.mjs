// Asks the JSON language service of an editor: node ls.mjs < requests. A request is a file with its text; with "at", the offset of the
// cursor, the answer lists what completion offers there, without it what is marked as wrong.
import { readFileSync } from 'node:fs'
import json from 'vscode-json-languageservice'
import { pathToFileURL, fileURLToPath } from 'node:url'

const { getLanguageService, TextDocument } = json
const service = getLanguageService({
  workspaceContext: { resolveRelativePath: (relative, base) => new URL(relative, base).toString() },
  schemaRequestService: async (uri) => readFileSync(fileURLToPath(uri), 'utf8'),
})
service.configure({ validate: true, allowComments: true })
const requests = JSON.parse(readFileSync(0, 'utf8'))
const answers = []
for (const { file, text, at } of requests) {
  const document = TextDocument.create(pathToFileURL(file).toString(), 'jsonc', 1, text)
  const parsed = service.parseJSONDocument(document)
  if (at === undefined) {
    const found = await service.doValidation(document, parsed, { comments: 'ignore', trailingCommas: 'error', schemaValidation: 'error', schemaRequest: 'error' })
    answers.push(found.map((d) => `${d.range.start.line + 1}:${d.range.start.character + 1}: ${d.message}`))
    continue
  }
  const list = await service.doComplete(document, document.positionAt(at), parsed)
  answers.push((list?.items ?? []).map((i) => i.label))
}
console.log(JSON.stringify(answers))
