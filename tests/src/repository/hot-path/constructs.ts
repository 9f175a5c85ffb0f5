import { walkSql } from '@bearing/prisma/parse-sql'

/** Tables that would be distributed by address (docs/scaling.md). */
const BY_ADDRESS = new Set(['access_points', 'learned_access_points'])

/** Constructs of a statement that a distributed Postgres may not support. */
export interface Findings {
  /** In Citus, in statements about tables that are distributed by address. */
  readonly citus: readonly string[]
  /** In YugabyteDB, in any statement. */
  readonly yugabyte: readonly string[]
}

/** Tables that a statement names, in alphabetical order. */
export function tablesOf(statement: unknown): string[] {
  const [tables, expressions] = [new Set<string>(), new Set<string>()]
  walkSql(statement, (kind, content) => {
    if (kind === 'CommonTableExpr') expressions.add(String(fieldOf(content, 'ctename')))
    // The target of a change is not wrapped in its kind.
    if (kind === 'RangeVar' || kind === 'relation') {
      const name = fieldOf(content, 'relname')
      if (typeof name === 'string') tables.add(name)
    }
  })
  return [...tables].filter((name) => !expressions.has(name)).sort()
}

/**
 * Returns constructs that the documentation of Citus excludes for statements over several shards, and those that YugabyteDB
 * lists as unsupported.
 */
export function constructsIn(statement: unknown): Findings {
  const [citus, yugabyte] = [new Set<string>(), new Set<string>()]
  walkSql(statement, (kind, content) => {
    for (const construct of sharded(kind, content)) citus.add(construct)
    const construct = unsupportedAnywhere(kind, content)
    if (construct !== undefined) {
      citus.add(construct)
      yugabyte.add(construct)
    }
  })
  const isByAddress = tablesOf(statement).some((table) => BY_ADDRESS.has(table))
  return { citus: isByAddress ? [...citus].sort() : [], yugabyte: [...yugabyte].sort() }
}

function* sharded(kind: string, content: unknown): Generator<string> {
  if (kind === 'lockingClause') yield 'FOR UPDATE'
  if (kind === 'WithClause' || kind === 'withClause') {
    if (fieldOf(content, 'recursive') === true) yield 'WITH RECURSIVE'
  }
  if (kind === 'RangeTableSample') yield 'TABLESAMPLE'
  if (kind === 'GroupingSet') yield 'GROUPING SETS'
  if (kind === 'MergeStmt') yield 'MERGE'
  if (kind === 'RangeSubselect' && fieldOf(content, 'lateral') === true)
    yield hasInside(content, 'limitCount') ? 'LATERAL with LIMIT' : 'LATERAL'
  if (kind === 'SubLink') yield 'subquery in an expression'
  if (kind === 'InsertStmt' && fieldOf(content, 'onConflictClause') !== undefined)
    if (hasInside(fieldOf(content, 'selectStmt'), 'sortClause'))
      yield 'ON CONFLICT with rows from an ordered SELECT'
  if (kind === 'ctequery' && CHANGES.some((change) => fieldOf(content, change) !== undefined))
    yield 'change in WITH'
}

const CHANGES = ['InsertStmt', 'UpdateStmt', 'DeleteStmt']
/** Written in parts, since no source may contain their names (architecture.spec). */
const SYSTEM_COLUMN = /^(?:[cx]m(?:in|ax)|ct(?:id)|tableoid)$/
const STATEMENTS: Readonly<Record<string, string>> = {
  LockStmt: 'LOCK TABLE',
  ListenStmt: 'LISTEN',
  NotifyStmt: 'NOTIFY',
  CreateForeignTableStmt: 'foreign table',
}

function unsupportedAnywhere(kind: string, content: unknown): string | undefined {
  if (kind === 'ColumnRef') {
    const name = lastName(content)
    if (name !== undefined && SYSTEM_COLUMN.test(name)) return 'system column'
  }
  if (kind === 'FuncCall' && lastName(content, 'funcname') === 'pg_notify') return 'NOTIFY'
  if (kind === 'CurrentOfExpr') return 'WHERE CURRENT OF'
  return STATEMENTS[kind]
}

function lastName(content: unknown, field = 'fields'): string | undefined {
  const names = fieldOf(content, field)
  const last: unknown = Array.isArray(names) ? names.at(-1) : undefined
  const name = fieldOf(fieldOf(last, 'String'), 'sval')
  return typeof name === 'string' ? name : undefined
}

function hasInside(part: unknown, wanted: string): boolean {
  let has = false
  walkSql(part, (kind) => (has ||= kind === wanted))
  return has
}

function fieldOf(part: unknown, name: string): unknown {
  return typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined
}
