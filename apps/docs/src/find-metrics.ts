import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** The folder of the checkout. */
const ROOT = join(import.meta.dirname, '..', '..', '..')

/** A metric, as the code declares it. */
export interface Metric {
  readonly name: string
  readonly type: string
  readonly labels: readonly string[]
  readonly help: string
}

const NAME = /^bearing_[a-z_]+$/

/** Classes and functions that declare metrics, with the types of these. */
const TYPES: Readonly<Record<string, string>> = {
  Counter: 'counter',
  counter: 'counter',
  totals: 'counter',
  Gauge: 'gauge',
  gauge: 'gauge',
  measure: 'gauge',
  Histogram: 'histogram',
  CallHistogram: 'histogram',
}
/** Labels of classes of this repository that write their series themselves. */
const OWN_LABELS: Readonly<Record<string, readonly string[]>> = { CallHistogram: ['operation', 'outcome'] }

/** Finds the metrics that the sources declare, by name. Labels that are no literals in the same file are not found. */
export function findMetrics(): Metric[] {
  const files = globSync('{apps,packages}/*/src/**/*.ts', { cwd: ROOT })
  return files
    .filter((path) => !path.endsWith('.spec.ts'))
    .flatMap((path) => metricsIn(readFileSync(join(ROOT, path), 'utf8')))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function metricsIn(text: string): Metric[] {
  if (!text.includes('bearing_')) return []
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true)
  return nodesOf(source).flatMap((node) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return []
    const { expression: called, arguments: [first, ...others] = [] } = node
    const maker = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText()
    const type = TYPES[maker]
    if (type === undefined || first === undefined) return []
    const [name, help, labels] = ts.isObjectLiteralExpression(first)
      ? ['name', 'help', 'labelNames'].map((field) => fieldOf(first, field))
      : [first, others[0], others[1] && stringsOf(others[1], source) ? others[1] : labelsOf(called, source)]
    if (!name || !help || !ts.isStringLiteralLike(name) || !NAME.test(name.text)) return []
    if (!ts.isStringLiteralLike(help)) throw new Error(`The help of ${name.text} is no literal.`)
    const own = OWN_LABELS[maker] ?? []
    return [{ name: name.text, type, labels: (labels && stringsOf(labels, source)) ?? own, help: help.text }]
  })
}

function nodesOf(node: ts.Node): ts.Node[] {
  const nodes = [node]
  node.forEachChild((child) => void nodes.push(...nodesOf(child)))
  return nodes
}

function fieldOf(node: ts.Node, field: string): ts.Expression | undefined {
  return nodesOf(node)
    .filter(ts.isPropertyAssignment)
    .find(({ name }) => name.getText() === field)?.initializer
}

/** Returns the labels that a function of the same file gives to every metric that it makes. */
function labelsOf(called: ts.Expression, source: ts.SourceFile): ts.Expression | undefined {
  const maker = ts.isIdentifier(called) ? initializerOf(called.text, source) : undefined
  return maker && fieldOf(maker, 'labelNames')
}

function initializerOf(name: string, source: ts.SourceFile): ts.Expression | undefined {
  return nodesOf(source)
    .filter(ts.isVariableDeclaration)
    .find((declaration) => declaration.name.getText() === name)?.initializer
}

/** Returns the texts of a list of literals, or of the constant of this name; undefined if it is neither. */
function stringsOf(node: ts.Expression, source: ts.SourceFile): string[] | undefined {
  if (ts.isAsExpression(node)) return stringsOf(node.expression, source)
  if (ts.isArrayLiteralExpression(node))
    return node.elements.filter(ts.isStringLiteralLike).map(({ text }) => text)
  const value = ts.isIdentifier(node) ? initializerOf(node.text, source) : undefined
  return value && stringsOf(value, source)
}
