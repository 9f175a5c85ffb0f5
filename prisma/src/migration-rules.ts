import type { AlterTableCmd, ColumnDef, Constraint, Node } from 'libpg-query'
import { walkSql, type Statement } from './parse-sql.js'

/**
 * Rules that a migration must not break without a reason. `contract`: the former version, which runs beside this one, may need the
 * former schema. `lock`: readers or writers would wait for as long as a large table is read or written.
 */
export const RULES = {
  drop: 'contract',
  rename: 'contract',
  'type-change': 'contract',
  'not-null': 'contract',
  constraint: 'contract',
  'delete-rows': 'contract',
  rewrite: 'lock',
  index: 'lock',
  validation: 'lock',
  'lock-timeout': 'lock',
  'concurrently-alone': 'lock',
  unknown: 'lock',
} as const
export type Rule = keyof typeof RULES

/** The fault of a statement. */
export interface Refusal {
  readonly rule: Rule
  readonly line: number
  readonly problem: string
}

/** State before a statement. */
export interface Known {
  /** Tables that the same migration created: nobody uses them yet. */
  readonly created: ReadonlySet<string>
  /** Columns that the same migration added: `table.column`. */
  readonly added: ReadonlySet<string>
  /** Columns that a valid check constraint keeps from being null: `table.column`. */
  readonly neverNull: ReadonlySet<string>
}

type Found = readonly [Rule, string]

/** Kinds of statements that hold up nobody, and that the former version does not notice. Everything else is judged, or unknown. */
const HARMLESS = new Set([
  'CreateStmt',
  'CreateFunctionStmt',
  'CreateTrigStmt',
  'CreateSeqStmt',
  'CreateEnumStmt',
  'AlterEnumStmt',
  'ViewStmt',
  'CommentStmt',
  'InsertStmt',
  'UpdateStmt',
  'SelectStmt',
])
/** The same, of parts of ALTER TABLE. */
const HARMLESS_CHANGES = new Set([
  'AT_ColumnDefault',
  'AT_DropNotNull',
  'AT_SetStatistics',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
  'AT_ValidateConstraint',
  'AT_DropConstraint',
])
/** Their value is the same for all rows of a statement, so that no row has to be written. */
const STABLE = new Set(['now', 'transaction_timestamp', 'statement_timestamp'])
const SERIAL = /^(small|big)?serial\d?$/

/** Returns what a statement must not do. */
export function judge({ node, line }: Statement, known: Known): Refusal[] {
  return found(node, known).map(([rule, problem]) => ({ rule, line, problem }))
}

/** Returns true if it builds or drops an index beside writers, which cannot run in a transaction. */
export function isConcurrent(node: Node): boolean {
  if ('IndexStmt' in node) return node.IndexStmt.concurrent === true
  if ('DropStmt' in node) return node.DropStmt.concurrent === true
  return false
}

function found(node: Node, known: Known): Found[] {
  if ('DropStmt' in node) {
    const kind = (node.DropStmt.removeType ?? '').replace('OBJECT_', '').toLowerCase()
    const refused: Found[] = [['drop', `it drops a ${kind}`]]
    if (kind === 'index' && node.DropStmt.concurrent !== true)
      refused.push(['index', 'DROP INDEX without CONCURRENTLY waits for everybody who reads the table'])
    return refused
  }
  if ('RenameStmt' in node) return [['rename', 'the former version knows the old name']]
  if ('AlterObjectSchemaStmt' in node)
    return [['rename', 'the former version looks for it in the old schema']]
  if ('DeleteStmt' in node || 'TruncateStmt' in node) return [['delete-rows', 'it deletes rows']]
  if ('VariableSetStmt' in node)
    return node.VariableSetStmt.name?.endsWith('_timeout') === true
      ? [['lock-timeout', `the program sets ${node.VariableSetStmt.name} itself`]]
      : []
  if ('IndexStmt' in node) {
    const { relation, concurrent, unique } = node.IndexStmt
    if (known.created.has(relation?.relname ?? '')) return []
    const refused: Found[] = []
    // ON ONLY a partitioned table: nothing is read; the indexes of its partitions are attached one by one.
    if (concurrent !== true && relation?.inh === true)
      refused.push([
        'index',
        'CREATE INDEX without CONCURRENTLY holds up writers of a table that may be large',
      ])
    if (unique === true) refused.push(['constraint', 'the former version may write duplicates'])
    return refused
  }
  if ('AlterTableStmt' in node) {
    const { relation, cmds = [], objtype } = node.AlterTableStmt
    if (objtype === 'OBJECT_INDEX') return []
    const table = relation?.relname ?? ''
    if (known.created.has(table)) return []
    return cmds.flatMap((each) => ('AlterTableCmd' in each ? changes(table, each.AlterTableCmd, known) : []))
  }
  const [kind = ''] = Object.keys(node)
  return HARMLESS.has(kind) ? [] : [['unknown', `no rule knows ${kind}`]]
}

function changes(
  table: string,
  { subtype = 'AT_AddColumn', name = '', def }: AlterTableCmd,
  known: Known,
): Found[] {
  switch (subtype) {
    case 'AT_AddColumn':
      return def && 'ColumnDef' in def ? ofNewColumn(def.ColumnDef) : []
    case 'AT_DropColumn':
      return [['drop', `it drops the column ${table}.${name}`]]
    case 'AT_AlterColumnType':
      return [['type-change', `it changes the type of ${table}.${name}`]]
    case 'AT_SetNotNull':
      return known.neverNull.has(`${table}.${name}`)
        ? []
        : [
            [
              'not-null',
              `no valid check constraint says that ${table}.${name} is never null, so all rows are read under a lock`,
            ],
          ]
    case 'AT_AddConstraint':
      return def && 'Constraint' in def ? ofNewConstraint(table, def.Constraint, known) : []
    default:
      return HARMLESS_CHANGES.has(subtype) ? [] : [['unknown', `no rule knows ${subtype}`]]
  }
}

function ofNewColumn({ colname = '', typeName, constraints = [] }: ColumnDef): Found[] {
  const all = constraints.flatMap((each) => ('Constraint' in each ? [each.Constraint] : []))
  const of = (kind: Constraint['contype']) => all.find(({ contype }) => contype === kind)
  const type = (typeName?.names ?? []).map((each) => ('String' in each ? each.String.sval : '')).at(-1) ?? ''
  const byDefault = of('CONSTR_DEFAULT')?.raw_expr
  const volatile = byDefault === undefined ? undefined : volatileFunction(byDefault)
  const refused: Found[] = []
  if (volatile !== undefined)
    refused.push(['rewrite', `the default of ${colname} calls ${volatile}, so every row is written`])
  if (SERIAL.test(type) || of('CONSTR_IDENTITY') || of('CONSTR_GENERATED')?.generated_kind === 's')
    refused.push(['rewrite', `every row is written for ${colname}`])
  if (of('CONSTR_NOTNULL') && byDefault === undefined && !of('CONSTR_GENERATED') && !of('CONSTR_IDENTITY'))
    refused.push(['not-null', `the former version does not fill ${colname}`])
  if (of('CONSTR_CHECK') || of('CONSTR_UNIQUE') || of('CONSTR_PRIMARY') || of('CONSTR_FOREIGN'))
    refused.push(['validation', `all rows are read for the constraint of ${colname}: add it NOT VALID`])
  return refused
}

function volatileFunction(expression: Node): string | undefined {
  let name: string | undefined
  walkSql(expression, (kind, content) => {
    if (kind !== 'FuncCall') return
    const { funcname = [] } = content as { funcname?: readonly Node[] } // as the parser has it
    const last = funcname.at(-1)
    const called = last && 'String' in last ? (last.String.sval ?? '') : ''
    if (!STABLE.has(called)) name = called
  })
  return name
}

function ofNewConstraint(table: string, constraint: Constraint, { added }: Known): Found[] {
  const { contype, conname = '', skip_validation, indexname } = constraint
  const columns = columnsOf(constraint)
  const refused: Found[] = []
  if (columns.length === 0 || !columns.every((column) => added.has(`${table}.${column}`)))
    refused.push(['constraint', `the former version may write what ${conname || 'the constraint'} refuses`])
  if (contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY' || contype === 'CONSTR_EXCLUSION') {
    if (indexname === undefined)
      refused.push([
        'index',
        `${conname} builds an index under a lock: build it CONCURRENTLY first, then USING INDEX`,
      ])
  } else if (skip_validation !== true)
    refused.push([
      'validation',
      `all rows are read under a lock for ${conname}: add it NOT VALID, and validate it in the next migration`,
    ])
  return refused
}

/** Columns of the table that a constraint is about. */
export function columnsOf({ raw_expr, keys = [], fk_attrs = [] }: Constraint): string[] {
  const columns = [...keys, ...fk_attrs].flatMap((each) => ('String' in each ? [each.String.sval ?? ''] : []))
  walkSql(raw_expr, (kind, content) => {
    if (kind !== 'ColumnRef') return
    const { fields = [] } = content as { fields?: readonly Node[] } // as the parser has it
    const last = fields.at(-1)
    if (last && 'String' in last) columns.push(last.String.sval ?? '')
  })
  return columns
}
