import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { lintMigrations, type Migration } from './lint-migrations.js'
import { migrationSql, readMigrations } from './migration-files.js'
import { SERVICES } from './services.js'

const HERE = join(import.meta.dirname, '..')
const { version: VERSION } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')) as {
  version: string
} // of pnpm

async function migrationsOf(service: string): Promise<Migration[]> {
  const list = await readMigrations(join(HERE, service, 'migrations'))
  return list.migrationDirectories.map(({ path: name }) => ({ name, sql: migrationSql(list, name) }))
}

describe.each(SERVICES)('the migrations of %s', (service) => {
  it('let the former version run beside this one, and hold up nobody', async () => {
    expect(await lintMigrations(await migrationsOf(service), () => true, VERSION)).toEqual([])
  })
})

/** The tables that the examples change. */
const INIT = {
  name: '1',
  sql: `CREATE TABLE devices (id uuid PRIMARY KEY, name text, owner uuid);
        CREATE TABLE parts (id uuid PRIMARY KEY) PARTITION BY HASH (id);`,
}

/** @returns the rules that the last migration breaks */
async function broken(...scripts: readonly string[]): Promise<string[]> {
  const refused = await refusals(...scripts)
  return [...new Set(refused.map((line) => /^\S+ ([\w-]+):/.exec(line)?.[1] ?? line))]
}

function refusals(...scripts: readonly string[]): Promise<string[]> {
  const migrations = scripts.map((sql, index) => ({ name: String(index + 2), sql }))
  return lintMigrations([INIT, ...migrations], (name) => name === String(scripts.length + 1), '0.3.0')
}

const ADD_CHECK = 'ALTER TABLE devices ADD CONSTRAINT named CHECK (name IS NOT NULL) NOT VALID'

describe('the lint of migrations', () => {
  it.each([
    ['drop', 'DROP TABLE devices'],
    ['drop', 'ALTER TABLE devices ADD COLUMN a int, DROP COLUMN name'],
    ['drop', 'DROP INDEX CONCURRENTLY devices_name_idx'],
    ['drop', 'DROP TRIGGER count ON devices'],
    ['drop', 'DROP FUNCTION count()'],
    ['rename', 'ALTER TABLE devices RENAME TO things'],
    ['rename', 'ALTER TABLE devices RENAME COLUMN name TO label'],
    ['rename', 'ALTER TABLE devices SET SCHEMA other'],
    ['type-change', 'ALTER TABLE devices ALTER COLUMN name TYPE varchar(20)'],
    ['not-null', 'ALTER TABLE devices ALTER COLUMN name SET NOT NULL'],
    ['not-null', 'ALTER TABLE devices ADD COLUMN a int NOT NULL'],
    ['rewrite', 'ALTER TABLE devices ADD COLUMN a uuid DEFAULT gen_random_uuid()'],
    ['rewrite', `ALTER TABLE devices ADD COLUMN a float DEFAULT round(random() * 3)`],
    ['rewrite', 'ALTER TABLE devices ADD COLUMN a timestamptz DEFAULT clock_timestamp()'],
    ['rewrite', 'ALTER TABLE devices ADD COLUMN a bigserial'],
    ['rewrite', 'ALTER TABLE devices ADD COLUMN a int GENERATED ALWAYS AS IDENTITY'],
    ['rewrite', 'ALTER TABLE devices ADD COLUMN a text GENERATED ALWAYS AS (lower(name)) STORED'],
    ['validation', 'ALTER TABLE devices ADD COLUMN a int CHECK (a > 0)'],
    ['validation', `${ADD_CHECK}; ALTER TABLE devices VALIDATE CONSTRAINT named`],
    ['constraint', ADD_CHECK],
    ['constraint', 'ALTER TABLE devices ADD FOREIGN KEY (owner) REFERENCES devices (id) NOT VALID'],
    ['constraint', 'ALTER TABLE devices ADD CONSTRAINT one UNIQUE USING INDEX devices_name_idx'],
    ['constraint', 'CREATE UNIQUE INDEX CONCURRENTLY "devices_name_idx" ON devices (name)'],
    ['delete-rows', 'DELETE FROM devices'],
    ['delete-rows', 'TRUNCATE devices'],
    ['index', 'CREATE INDEX devices_name_idx ON devices (name)'],
    [
      'concurrently-alone',
      'CREATE INDEX CONCURRENTLY "a" ON devices (name); ALTER TABLE devices ADD COLUMN a int',
    ],
    ['concurrently-alone', 'CREATE INDEX CONCURRENTLY a ON devices (name)'],
    ['lock-timeout', 'SET lock_timeout = 0; ALTER TABLE devices ADD COLUMN a int'],
    [
      'lock-timeout',
      `ALTER TABLE devices ADD COLUMN a int; COMMENT ON COLUMN devices.a IS 'built concurrently'`,
    ],
    ['unknown', 'LOCK TABLE devices'],
    ['unknown', `DO $$ BEGIN DROP TABLE devices; END $$`],
    ['unknown', 'ALTER TABLE devices SET TABLESPACE fast'],
    ['unknown', 'VACUUM FULL devices'],
  ])('refuses as %s: %s', async (rule, sql) => {
    expect(await broken(sql)).toContain(rule)
  })

  it('refuses DROP INDEX without CONCURRENTLY, for both reasons', async () => {
    expect(await broken('DROP INDEX devices_name_idx')).toEqual(['drop', 'index'])
  })

  it.each([
    'CREATE TABLE things (id uuid PRIMARY KEY, name text NOT NULL UNIQUE); CREATE INDEX things_name ON things (name)',
    'ALTER TABLE devices ADD COLUMN a int, ADD COLUMN b text',
    `ALTER TABLE devices ADD COLUMN a int NOT NULL DEFAULT 0, ADD COLUMN b timestamptz DEFAULT now()`,
    'ALTER TABLE devices ADD COLUMN a text GENERATED ALWAYS AS (lower(name)) VIRTUAL',
    'ALTER TABLE devices ADD COLUMN a int; ALTER TABLE devices ADD CONSTRAINT c CHECK (a > 0) NOT VALID',
    'ALTER TABLE devices ALTER COLUMN name SET DEFAULT 1, ALTER COLUMN owner DROP NOT NULL',
    'CREATE INDEX CONCURRENTLY "devices_name_idx" ON "devices" ("name")',
    '-- why\nCREATE INDEX CONCURRENTLY "devices_name_idx" ON "devices" ("name");\n',
    'CREATE INDEX parts_idx ON ONLY parts (id); ALTER INDEX parts_idx ATTACH PARTITION parts_0_idx',
    `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DROP TABLE x; RETURN NULL; END $$;
     CREATE TRIGGER t AFTER INSERT ON devices FOR EACH ROW EXECUTE FUNCTION f()`,
    `UPDATE devices SET name = '' WHERE name IS NULL`,
  ])('accepts: %s', async (sql) => {
    expect(await refusals(sql)).toEqual([])
  })

  it('accepts SET NOT NULL after a check constraint was validated, and not before', async () => {
    const validate = 'ALTER TABLE devices VALIDATE CONSTRAINT named'
    const set = 'ALTER TABLE devices ALTER COLUMN name SET NOT NULL'
    expect(await refusals(ADD_CHECK, validate)).toEqual([])
    expect(await refusals(ADD_CHECK, validate, set)).toEqual([])
    expect(await broken(ADD_CHECK, set)).toEqual(['not-null'])
    expect(await broken(ADD_CHECK, validate, 'ALTER TABLE devices DROP CONSTRAINT named', set)).toEqual([
      'not-null',
    ])
  })

  it('names migration, line and rule', async () => {
    const sql = '-- two\n-- lines\nALTER TABLE devices ADD COLUMN ä int;\n\n-- more\nDROP TABLE devices;'
    expect(await refusals(sql)).toEqual(['2:6 drop: it drops a table'])
  })

  it('accepts an exception that names the version in which nothing reads it any more', async () => {
    const drop = 'ALTER TABLE devices DROP COLUMN name;'
    expect(
      await refusals(`-- lint: allow drop since 0.3.0: nothing reads the name any more\n${drop}`),
    ).toEqual([])
    const index = 'CREATE INDEX a ON devices (name);'
    expect(await refusals(`-- lint: allow index: there are at most 100 of them\n${index}`)).toEqual([])
  })

  it.each([
    ['no version', 'allow drop: nothing reads the name any more', /names no version/],
    [
      'a later version',
      'allow drop since 0.10.0: nothing reads the name any more',
      /0\.10\.0, which is later than 0\.3\.0/,
    ],
    ['no reason', 'allow drop since 0.2.0', /write "-- lint/],
    [
      'another rule',
      'allow rename since 0.2.0: nothing reads the name any more',
      /nothing here breaks the rule "rename"/,
    ],
  ])('refuses an exception with %s', async (_, exception, complaint) => {
    const refused = await refusals(`-- lint: ${exception}\nALTER TABLE devices DROP COLUMN name;`)
    expect(refused.join('\n')).toMatch(complaint)
  })
})
