import type { Constraint, Node } from 'libpg-query'
import { BUILT_CONCURRENTLY } from './unfinished-indexes.js'
import { columnsOf, isConcurrent, judge, RULES, type Refusal } from './migration-rules.js'
import { parseSql, type Statement } from './parse-sql.js'

/** A migration as it stands in its folder. */
export interface Migration {
  /** Name of its folder. */
  readonly name: string
  readonly sql: string
}

/** `-- lint: allow drop since 0.2.0: nothing reads it`; the version is that in which nothing reads or writes it any more. */
const EXCEPTION = /^-- lint: allow ([\w-]+)(?: since (\d+\.\d+\.\d+))?: (\S.{9,})$/gm
const ANY_EXCEPTION = /^--\s*lint:.*$/gm

/**
 * Refuses migrations that the former version, which runs beside the new one, would not survive, and those that hold up readers or
 * writers of a large table (expand and contract: add, deploy, and delete in a later version).
 *
 * @param migrations of one service, oldest first; all of them, as some rules depend on what was there
 * @param isChecked whether a migration is checked, by name
 * @param version of this commit, such as `0.2.0`: an exception names an earlier one or this one
 * @returns what is refused: `<migration>:<line> <rule>: <problem>`
 */
export async function lintMigrations(
  migrations: readonly Migration[],
  isChecked: (name: string) => boolean,
  version: string,
): Promise<string[]> {
  const checks = new NullChecks()
  const refused: string[] = []
  for (const { name, sql } of migrations) {
    const statements = await parseSql(sql)
    if (isChecked(name)) {
      const refusals = [...lintTogether(sql, statements), ...lintEach(statements, checks)]
      refused.push(...lessExceptions(sql, refusals, version).map((line) => `${name}:${line}`))
    }
    for (const { node } of statements) checks.apply(node)
  }
  return refused
}

function lintEach(statements: readonly Statement[], checks: NullChecks): Refusal[] {
  const created = new Set<string>()
  const added = new Set<string>()
  return statements.flatMap((statement) => {
    const { node } = statement
    if ('CreateStmt' in node) created.add(node.CreateStmt.relation?.relname ?? '')
    const refusals = judge(statement, { created, added, neverNull: checks.valid })
    for (const [table, column] of addedColumns(node)) added.add(`${table}.${column}`)
    return refusals
  })
}

/** Refuses statements that must not be together. */
function lintTogether(sql: string, statements: readonly Statement[]): Refusal[] {
  const refusals: Refusal[] = []
  const concurrent = statements.filter(({ node }) => isConcurrent(node))
  for (const { line, node, text } of concurrent) {
    if (statements.length > 1)
      refusals.push({
        rule: 'concurrently-alone',
        line,
        problem: 'CONCURRENTLY needs a migration of its own',
      })
    if ('IndexStmt' in node && text.search(BUILT_CONCURRENTLY) === -1)
      refusals.push({
        rule: 'concurrently-alone',
        line,
        problem:
          'write CREATE INDEX CONCURRENTLY "name", so that the program finds an index that was not finished',
      })
  }
  // The program (schema-engine.ts) waits without a limit for what has this word in it.
  const hasTheWord = /\bCONCURRENTLY\b/i.test(sql.replaceAll(/--.*$/gm, ''))
  if (hasTheWord && concurrent.length === 0)
    refusals.push({
      rule: 'lock-timeout',
      line: 1,
      problem: 'the word CONCURRENTLY in it takes its lock_timeout away',
    })
  for (const { line, node } of statements) {
    const table = validates(node)
    if (
      table !== undefined &&
      statements.some((other) => other.node !== node && changesTable(other.node, table))
    )
      refusals.push({
        rule: 'validation',
        line,
        problem: `other changes of ${table} keep it locked while its rows are read`,
      })
  }
  return refusals
}

function lessExceptions(sql: string, refusals: readonly Refusal[], version: string): string[] {
  const allowed = new Map<string, string | undefined>()
  for (const [, rule = '', since] of sql.matchAll(EXCEPTION)) allowed.set(rule, since)
  const lines = refusals.flatMap(({ rule, line, problem }) => {
    const since = allowed.get(rule)
    const complaint = `${String(line)} ${rule}: ${problem}`
    if (!allowed.has(rule)) return [complaint]
    if (RULES[rule] === 'lock') return []
    if (since === undefined) return [`${complaint}; the exception names no version ("since 0.2.0")`]
    return isLater(since, version)
      ? [`${complaint}; the exception names ${since}, which is later than ${version}`]
      : []
  })
  const written = sql.match(ANY_EXCEPTION) ?? []
  if (written.length > allowed.size)
    lines.push('1 exception: write "-- lint: allow <rule> [since <version>]: <reason>", once for each rule')
  const broken = new Set<string>(refusals.map(({ rule }) => rule))
  for (const rule of allowed.keys())
    if (!broken.has(rule)) lines.push(`1 exception: nothing here breaks the rule "${rule}"`)
  return lines
}

function isLater(one: string, other: string): boolean {
  const [first, second] = [one, other].map((version) => version.split('.').map(Number))
  for (const [index, number] of (first ?? []).entries()) {
    const difference = number - (second?.[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

function* addedColumns(node: Node): Generator<[table: string, column: string]> {
  for (const { table, subtype, def } of parts(node))
    if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) yield [table, def.ColumnDef.colname ?? '']
}

function validates(node: Node): string | undefined {
  return parts(node).find(({ subtype }) => subtype === 'AT_ValidateConstraint')?.table
}

function changesTable(node: Node, table: string): boolean {
  return parts(node).some((part) => part.table === table && part.subtype !== 'AT_ValidateConstraint')
}

/** The parts of an ALTER TABLE. A subtype of 0, which adds a column, is left out by the parser. */
function parts(node: Node) {
  if (!('AlterTableStmt' in node)) return []
  const { relation, cmds = [] } = node.AlterTableStmt
  return cmds.flatMap((each) =>
    'AlterTableCmd' in each
      ? [{ subtype: 'AT_AddColumn', ...each.AlterTableCmd, table: relation?.relname ?? '' }]
      : [],
  )
}

/** Columns that a check constraint keeps from being null, as migrations add, validate and drop them. */
class NullChecks {
  /** Of valid ones: `table.column`. */
  readonly valid = new Set<string>()
  private readonly columns = new Map<string, string>()

  apply(node: Node): void {
    for (const { table, subtype, name = '', def } of parts(node)) {
      if (subtype === 'AT_AddConstraint' && def && 'Constraint' in def) this.add(table, def.Constraint)
      const column = this.columns.get(`${table}/${name}`)
      if (column === undefined) continue
      if (subtype === 'AT_ValidateConstraint') this.valid.add(column)
      if (subtype === 'AT_DropConstraint') this.valid.delete(column)
    }
  }

  private add(table: string, constraint: Constraint): void {
    const { contype, conname = '', raw_expr: check, skip_validation } = constraint
    if (contype !== 'CONSTR_CHECK' || !check || !('NullTest' in check)) return
    const [column = ''] = columnsOf(constraint)
    if (check.NullTest.nulltesttype !== 'IS_NOT_NULL') return
    this.columns.set(`${table}/${conname}`, `${table}.${column}`)
    if (skip_validation !== true) this.valid.add(`${table}.${column}`)
  }
}
