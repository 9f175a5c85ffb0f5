import { forSuite } from '@bearing/testing/for-suite'
import { TestDatabase } from '@bearing/testing/test-database'
import { expect, it } from '@jest/globals'
import { openPool } from './database.js'
import { readRows } from './read-rows.js'

const postgres = forSuite(() => TestDatabase.create())
/** One connection: what fails on it must leave it usable. */
const pool = forSuite(
  () => openPool(postgres.databaseUrls.location, 1),
  (it) => it.end(),
)

it('a value of each type is read as what its rows are typed as', async () => {
  const text = `SELECT true AS bool, '\\x0aff'::bytea AS bytea, 0.1::float8 AS float8, -2::int2 AS int2, 4::int4 AS int4,
    281474976710655::int8 AS int8, '{"a": [1]}'::json AS json, '{"a": [1]}'::jsonb AS jsonb, 'é' AS text,
    '{a,"b,c"}'::text[] AS texts, '2026-03-01 12:00:00.5+01'::timestamptz AS at, '0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e51'::uuid AS id, NULL::int8 AS none`
  const columns = {
    bool: 'bool',
    bytea: 'bytea',
    float8: 'float8',
    int2: 'int2',
    int4: 'int4',
    int8: 'int8',
    json: 'json',
    jsonb: 'jsonb',
    text: 'text',
    texts: 'text[]',
    at: 'timestamptz',
    id: 'uuid',
    none: 'int8 | null',
  } as const
  const expected = {
    bool: true,
    bytea: Buffer.from([10, 255]),
    float8: 0.1,
    int2: -2,
    int4: 4,
    int8: 2 ** 48 - 1,
    json: { a: [1] },
    jsonb: { a: [1] },
    text: 'é',
    texts: ['a', 'b,c'],
    at: new Date('2026-03-01T11:00:00.500Z'),
    id: '0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e51',
    none: null,
  }
  expect(await readRows(pool, { text, columns })).toEqual([expected])
  expect(await readRows(pool, { text, columns: Object.entries(columns) })).toEqual([Object.values(expected)])
})

it.each([
  ['another name', 'SELECT 1 AS id, 2 AS cell', 'cell int4'],
  ['another type', 'SELECT 1 AS id, 2::int8 AS area', 'area int8'],
  ['a type that no statement may return', 'SELECT 1 AS id, 2::numeric AS area', 'area of type 1700'],
  ['a missing column', 'SELECT 1 AS id', 'missing'],
  ['NULL', 'SELECT 1 AS id, 2 AS area UNION ALL SELECT 2, NULL', 'NULL'],
])(
  'a statement that returns %s fails with its name and the column, as objects and as tuples',
  async (name, text, found) => {
    const expected = `Column 2 of "${name}" is ${found}, declared: area int4.`
    const columns = { id: 'int4', area: 'int4' } as const
    await expect(readRows(pool, { name, text, columns })).rejects.toThrow(expected)
    await expect(readRows(pool, { name, text, columns: Object.entries(columns) })).rejects.toThrow(expected)
  },
)

it('a statement without rows fails, too, if its columns are not the declared ones', async () => {
  const statement = { text: 'SELECT 1 AS id WHERE false', columns: { id: 'int8' } } as const
  await expect(readRows(pool, statement)).rejects.toThrow(
    'Column 1 of "SELECT 1 AS id WHERE false" is id int4, declared: id int8.',
  )
})

it('a column that is not declared fails the read', async () => {
  const statement = { text: 'SELECT 1 AS id, 2 AS area', columns: { id: 'int4' } } as const
  await expect(readRows(pool, statement)).rejects.toThrow(
    'Column 2 of "SELECT 1 AS id, 2 AS area" is area int4, declared: nothing.',
  )
})

it.each(['9007199254740992', '-9007199254740992'])(
  'the int8 %s, which is not exact as a number, fails the read and nothing after it',
  async (value) => {
    const read = (given: string) =>
      readRows(pool, { text: 'SELECT $1::int8 AS value', columns: { value: 'int8' } }, [given])
    await expect(read(value)).rejects.toThrow('beyond 2^53')
    expect(await read('-9007199254740991')).toEqual([{ value: -9007199254740991 }])
  },
)
