import { join } from 'node:path'
import { ERRORS } from '@bearing/contracts/errors'
import { PERMISSIONS } from '@bearing/contracts/permission'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import ts from 'typescript'
import { ROOT } from '../tools/root.js'

/** The derived types, which the compiler resolves. */
const DERIVED = `
import type { RouteName } from '@bearing/contracts/routes'
import type { CallInput, CallOutput, ListName, StreamName } from '@bearing/client/call-types'
export type Inputs = { [Name in RouteName]: CallInput<Name> }
export type Outputs = { [Name in RouteName]: CallOutput<Name> }
export type Lists = ListName
export type Streams = StreamName
`
const HEAD = `// Written by \`npx pnpm generate\` from the contracts.

import type { CallOptions } from '../client-options.js'
`

const NAMED: readonly (readonly [name: string, words: readonly string[]])[] = [
  ['ErrorCode', Object.keys(ERRORS)],
  ['Permission', PERMISSIONS],
]

/** Returns packages/client/src/generated/calls.ts: the types of all calls as they are written by hand, with their documentation. */
export function clientCalls(): string {
  const { checker, types } = derivedTypes()
  const members = (name: string) =>
    new Map(checker.getPropertiesOfType(types(name)).map((one) => [one.name, one]))
  const [inputs, outputs] = [members('Inputs'), members('Outputs')]
  const written = new Writer(checker)
  const calls = Object.entries(ROUTES).map(([name, route]: [string, Route]) => {
    const [input, output] = [inputs.get(name), outputs.get(name)]
    if (!input || !output) throw new Error(`no types of ${name}`)
    const given = `input: ${written.typeOf(input)}, options?: CallOptions`
    return `${documentation(route)}\n  ${name}(${given}): Promise<${written.typeOf(output)}>`
  })
  const named = NAMED.map(
    ([name, words]) => `export type ${name} =${words.map((word) => `\n  | '${word}'`).join('')}\n`,
  )
  return [
    HEAD,
    `/** Every call. Parameters of the path, the query and the body are one object. */\nexport interface Calls {\n${calls.join('\n')}\n}\n`,
    `/** Calls that return a page of a list. */\nexport type ListName = ${written.type(types('Lists'))}\n`,
    `/** Calls that return a list line by line. */\nexport type StreamName = ${written.type(types('Streams'))}\n`,
    ...named,
  ].join('\n')
}

function documentation({ operation, method, path }: Route): string {
  const text = [operation.summary, operation.description, `\`${method} ${path}\``].filter(
    (part) => part !== undefined,
  )
  const lines = text.join('\n\n').replaceAll('*/', '*\u200b/').split('\n')
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n')
}

function derivedTypes() {
  const file = join(ROOT, 'tests', 'src', 'reference', 'derived-types.ts')
  const options: ts.CompilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2024,
      lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
    },
  }
  const host = ts.createCompilerHost(options)
  const [readSource, exists] = [host.getSourceFile.bind(host), host.fileExists.bind(host)]
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, DERIVED, ts.ScriptTarget.ES2024) : readSource(name, ...rest)
  host.fileExists = (name) => name === file || exists(name)
  const program = ts.createProgram([file], options, host)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const types = (name: string): ts.Type => {
    const declared = source?.statements.find(
      (one) => ts.isTypeAliasDeclaration(one) && one.name.text === name,
    )
    if (!declared) throw new Error(`no type ${name}`)
    return checker.getTypeAtLocation(declared)
  }
  return { checker, types }
}

/** Writes types without the names of others. */
class Writer {
  private readonly open: ts.Type[] = []

  constructor(private readonly checker: ts.TypeChecker) {}

  typeOf(symbol: ts.Symbol): string {
    return this.type(this.checker.getTypeOfSymbol(symbol))
  }

  type(type: ts.Type): string {
    if (this.open.includes(type)) return 'unknown' // contains itself
    this.open.push(type)
    try {
      return this.written(type)
    } finally {
      this.open.pop()
    }
  }

  private written(type: ts.Type): string {
    const { checker } = this
    if (type.isUnion()) return this.union(type)
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      const items = checker.getTypeArguments(type as ts.TypeReference)
      if (checker.isArrayType(type)) return `${this.grouped(items[0])}[]`
      return `[${items.map((item) => this.type(item)).join(', ')}]`
    }
    const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0
    if (!isObject) return checker.typeToString(type)
    const indexes = checker
      .getIndexInfosOfType(type)
      .map((index) => `[name: ${checker.typeToString(index.keyType)}]: ${this.type(index.type)}`)
    // In order of names: the compiler's own changes from one build to the next.
    const symbols = checker
      .getPropertiesOfType(type)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    const members = symbols.map((symbol) => {
      const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0
      const name = /^[A-Za-z_]\w*$/.test(symbol.name) ? symbol.name : JSON.stringify(symbol.name)
      return `${name}${isOptional ? '?' : ''}: ${this.typeOf(symbol)}`
    })
    return members.length + indexes.length === 0 ? 'object' : `{ ${[...members, ...indexes].join('; ')} }`
  }

  private union({ types }: ts.UnionType): string {
    const parts = new Set(types.map((part) => this.grouped(part)))
    // Types that many calls have.
    for (const [name, words] of NAMED)
      if (words.length === parts.size && words.every((word) => parts.has(`"${word}"`))) return name
    if (parts.delete('true') && parts.delete('false')) parts.add('boolean')
    // In an order that other types do not change.
    return [...parts].sort().join(' | ')
  }

  private grouped(type: ts.Type | undefined): string {
    if (!type) return 'unknown'
    const text = this.type(type)
    return type.isUnion() && text.includes(' | ') ? `(${text})` : text
  }
}
