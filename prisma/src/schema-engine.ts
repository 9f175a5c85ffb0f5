import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import { charColumns } from './char-columns.js'

/** A running schema engine: what makes and applies Prisma's migrations. */
export interface OpenEngine {
  readonly engine: bindings.SchemaEngine
  /** The error of the database that the last script ran into. The engine itself reports only a part of it. */
  readonly lastFailure: () => pg.DatabaseError | undefined
  readonly close: () => Promise<void>
}

/** Nothing is managed from elsewhere: all tables of the schema count. */
export const ALL_TABLES: bindings.SchemaFilter = { externalTables: [], externalEnums: [] }

/**
 * Opens Prisma's schema engine on one Postgres schema of a database.
 *
 * @param url of the owner of the tables; secret
 * @param schema the Postgres schema that unqualified names mean
 * @param lockMs how long a migration waits for a table, in milliseconds; 0 is as long as it takes
 * @param shadow whether this is a throw-away database, on which the engine may run migrations to see what comes out
 */
export async function openSchemaEngine(
  url: string,
  schema: string,
  lockMs: number,
  shadow = false,
): Promise<OpenEngine> {
  await loadOnce()
  const { Client, extend } = charColumns()
  const settings = { connectionString: url, max: 2, options: `-c search_path=${schema}` }
  // The types of pg want a class whose constructor takes nothing, and then call it with the settings.
  const pool = new pg.Pool({ ...settings, Client: Client as unknown as new () => pg.Client })
  const factory = new PrismaPg(pool, { schema })
  const connect = factory.connect.bind(factory)
  let failure: pg.DatabaseError | undefined
  factory.connect = async () => {
    const adapter = await connect()
    extend(adapter)
    // Each script goes to Postgres as it is: one message, and so one transaction. The adapter would cut it at every ";",
    // also those in function bodies and strings, and a failure would leave half a migration behind.
    adapter.executeScript = async (script) => {
      failure = undefined
      await run(pool, script, lockMs).catch((error: unknown) => {
        if (error instanceof pg.DatabaseError) failure = error
        throw error
      })
    }
    return adapter
  }
  if (shadow) factory.connectToShadowDb = () => factory.connect()
  const options = { datamodels: undefined }
  const bound = bindMigrationAwareSqlAdapterFactory(factory)
  const engine = await bindings.SchemaEngine.new(options, () => undefined, bound)
  return {
    engine,
    lastFailure: () => failure,
    close: async () => {
      engine.free()
      await pool.end()
    },
  }
}

/**
 * Runs a script. A migration that waits for a table blocks all later queries of it, also reads. An index
 * that is built concurrently holds up nobody, and has to wait for all that are under way.
 */
async function run(pool: pg.Pool, script: string, lockMs: number): Promise<void> {
  const isConcurrent = /\bCONCURRENTLY\b/i.test(script.replaceAll(/--.*$/gm, ''))
  const client = await pool.connect()
  try {
    await client.query(`SET lock_timeout = ${String(isConcurrent ? 0 : lockMs)}`)
    await client.query(script)
  } finally {
    client.release()
  }
}

/** The part of the WebAssembly API that is used; its types come only with those of browsers. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

let loaded: Promise<void> | undefined

/** The package's own entry imports the .wasm as a module, which Node cannot do without a flag. */
function loadOnce(): Promise<void> {
  return (loaded ??= load())
}

async function load(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const module = new WebAssembly.Module(await readFile(join(dirname(entry), 'schema_engine_bg.wasm')))
  const { exports } = new WebAssembly.Instance(module, { './schema_engine_bg.js': imports() })
  bindings.__wbg_set_wasm(exports)
  ;(exports as { __wbindgen_start(): void }).__wbindgen_start()
  // The engine leaves its message here when it panics; it expects Prisma's command line to have made it.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message: (message: string) => {
        throw new Error(`Prisma's schema engine failed: ${message}`)
      },
    },
  })
}

/** Returns the functions that the engine calls. Its timers do not keep the process up: it leaves one of ten seconds for every lock. */
function imports(): Record<string, unknown> {
  const patient = (callback: () => void, delayMs: number) => setTimeout(callback, delayMs).unref()
  const all = Object.entries(bindings).map(([name, value]): [string, unknown] => [
    name,
    name.startsWith('__wbg_setTimeout_') ? patient : value,
  ])
  return Object.fromEntries(all)
}
