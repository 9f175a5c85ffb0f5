import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pathTemplate } from '@bearing/contracts/route'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'

/** Of this compiled file: `openapi-fetch` is found from there. */
const FOLDER = join(import.meta.dirname, 'strict-client')

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
}

/** One call of a route. */
export interface Call {
  /** Of the generated function. */
  readonly name: string
  readonly route: RouteName
  readonly path: Readonly<Record<string, string | number>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** The generated functions, by name of the call. Each sends its request with the given `fetch`. */
export type Calls = Readonly<Record<string, () => Promise<unknown>>>

/**
 * Generates types from an OpenAPI document with `openapi-typescript`, writes a program that makes each call with `openapi-fetch`,
 * and compiles it with the strictest options.
 *
 * @returns the mistakes of the compiler, and the functions
 */
export async function generateClient(
  openApi: object,
  calls: readonly Call[],
  baseUrl: string,
  fetch: (request: Request) => Promise<Response>,
): Promise<{ readonly mistakes: readonly string[]; readonly calls: Calls }> {
  await mkdir(FOLDER, { recursive: true })
  const document = JSON.stringify(openApi)
  // A field of a request with a default may be left out.
  const types = await openapiTypescript(document, { defaultNonNullable: false })
  await writeFile(join(FOLDER, 'schema.d.ts'), astToString(types))
  const file = join(FOLDER, 'client.ts')
  await writeFile(file, programOf(calls))
  const program = ts.createProgram([file], OPTIONS)
  const mistakes = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText, file: at, start = 0 }) =>
      [
        at?.fileName ?? '',
        at ? at.getLineAndCharacterOfPosition(start).line + 1 : 0,
        ts.flattenDiagnosticMessageText(messageText, ' '),
      ].join(':'),
    )
  program.emit()
  const { callsWith } = (await import(pathToFileURL(join(FOLDER, 'client.js')).href)) as {
    callsWith: (baseUrl: string, send: typeof fetch) => Calls
  } // as written below
  return { mistakes, calls: callsWith(baseUrl, fetch) }
}

function programOf(calls: readonly Call[]): string {
  return `import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

export function callsWith(baseUrl: string, fetch: (request: Request) => Promise<Response>) {
  const client = createClient<paths>({ baseUrl, fetch })
  return {
${calls.map((call) => `    ${call.name}: () => ${expressionOf(call)},`).join('\n')}
  }
}
`
}

function expressionOf({ route: name, path, query, body, headers }: Call): string {
  const route: Route = ROUTES[name]
  const { template } = pathTemplate(route)
  const params = {
    ...(Object.keys(path).length > 0 && { path }),
    ...(Object.keys(query).length > 0 && { query }),
  }
  const fields = [
    `headers: ${JSON.stringify(headers)}`,
    ...(Object.keys(params).length > 0 ? [`params: ${JSON.stringify(params)}`] : []),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`]),
    ...(route.dialect === 'oauth'
      ? ['bodySerializer: (body: object) => new URLSearchParams(Object.entries(body)).toString()']
      : []),
    ...(route.bytes ? ['bodySerializer: (body: unknown) => String(body)'] : []),
    ...(route.stream || route.download ? [`parseAs: 'text'`] : []),
  ]
  return `client.${route.method}(${JSON.stringify(template)}, { ${fields.join(', ')} })`
}
