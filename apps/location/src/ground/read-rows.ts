import pg from 'pg'

/** The Postgres types that statements may return, and what a value of each is read as. */
interface Values {
  readonly bool: boolean
  readonly bytea: Buffer
  readonly float8: number
  readonly int2: number
  readonly int4: number
  /** Exact: a value beyond 2^53 fails the read. BSSIDs have 48 bits; as the texts that the driver makes they would be slow. */
  readonly int8: number
  readonly json: unknown
  readonly jsonb: unknown
  readonly text: string
  readonly 'text[]': readonly string[]
  readonly timestamptz: Date
  readonly uuid: string
}
type Type = keyof Values
/** A Postgres type; `| null` if the column may be NULL. */
type ColumnType = Type | `${Type} | null`

const { builtins } = pg.types
const OIDS: Readonly<Record<Type, number>> = {
  bool: builtins.BOOL,
  bytea: builtins.BYTEA,
  float8: builtins.FLOAT8,
  int2: builtins.INT2,
  int4: builtins.INT4,
  int8: builtins.INT8,
  json: builtins.JSON,
  jsonb: builtins.JSONB,
  text: builtins.TEXT,
  'text[]': 1009,
  timestamptz: builtins.TIMESTAMPTZ,
  uuid: builtins.UUID,
}
const TYPES = new Map<string, { readonly oid: number; readonly isNullable: boolean }>(
  Object.entries(OIDS).flatMap(([name, oid]) => [
    [name, { oid, isNullable: false }],
    [`${name} | null`, { oid, isNullable: true }],
  ]),
)

const PARSERS = new pg.TypeOverrides()
PARSERS.setTypeParser(builtins.INT8, (text) => {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new RangeError('An int8 of Postgres is beyond 2^53.')
})

/** Columns by position. */
type ColumnList = readonly (readonly [name: string, type: ColumnType])[]
export type Columns = ColumnList | Readonly<Record<string, ColumnType>>

type ValueOf<Some> = Some extends Type
  ? Values[Some]
  : Some extends `${infer Name extends Type} | null`
    ? Values[Name] | null
    : never

type ColumnValue<Column> = Column extends readonly [string, infer Some] ? ValueOf<Some> : never

/** A row of a statement: an object, or a tuple if its columns are a list. */
export type RowOf<Some extends Columns> = Some extends ColumnList
  ? { -readonly [Index in keyof Some]: ColumnValue<Some[Index]> }
  : { readonly [Name in keyof Some]: ValueOf<Some[Name]> }

export interface Statement<Some extends Columns> {
  /** Prepares the statement, one name per text (default: planned for each call). */
  readonly name?: string
  readonly text: string
  /** The columns that it returns, in its order. Tuples are faster than objects, and for columns that depend on the kind of station. */
  readonly columns: Some
  /** In milliseconds (default: that of the connection). */
  readonly query_timeout?: number
}

/**
 * Runs a statement and returns its rows. The type of a row follows from the declared columns, and each result is compared with them, so
 * a test that runs a statement checks what its readers take it for.
 *
 * @throws Error naming the statement and the column, if Postgres returns another name or type, or NULL where none is declared
 */
export async function readRows<const Some extends Columns>(
  client: Pick<pg.ClientBase, 'query'>,
  { columns, ...statement }: Statement<Some>,
  values: readonly unknown[] = [],
): Promise<RowOf<Some>[]> {
  const isList = Array.isArray(columns)
  const { rows, fields } = await client.query<Record<string | number, unknown>>({
    ...{ ...statement, values: [...values], types: PARSERS },
    ...(isList && { rowMode: 'array' }),
  })
  const declared = (isList ? columns : Object.entries(columns)) as ColumnList
  for (let index = 0; index < Math.max(declared.length, fields.length); index++) {
    const [name = '', type = ''] = declared[index] ?? []
    const { oid, isNullable } = TYPES.get(type) ?? { oid: 0, isNullable: false }
    const field = fields[index]
    let found: string
    if (field?.name !== name || field.dataTypeID !== oid) found = describe(field)
    else if (!isNullable && hasNull(rows, isList ? index : name)) found = 'NULL'
    else continue
    throw new Error(
      `Column ${index + 1} of "${statement.name ?? statement.text.trim()}" is ${found}, declared: ${declared[index]?.join(' ') ?? 'nothing'}.`,
    )
  }
  return rows as RowOf<Some>[] // as was just checked
}

function hasNull(
  rows: readonly Readonly<Record<string | number, unknown>>[],
  column: string | number,
): boolean {
  for (const row of rows) if (row[column] === null) return true
  return false
}

function describe(field: pg.FieldDef | undefined): string {
  if (!field) return 'missing'
  const type = Object.entries(OIDS).find(([, oid]) => oid === field.dataTypeID)?.[0]
  return `${field.name} ${type ?? `of type ${field.dataTypeID}`}`
}
