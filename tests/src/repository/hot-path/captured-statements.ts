import { eventually } from '@bearing/testing/eventually'
import type { Stack } from '@bearing/testing/stack'
import { Client } from 'pg'

/** A statement as Postgres received it. */
export interface CapturedStatement {
  /** The role of Postgres, which is the name of the service. */
  readonly service: string
  readonly text: string
}

const ENTRY = /^@(\w*)@ LOG: {2}(?:statement|execute [^:]*): /
const END = 'all statements were logged'

/**
 * Returns every statement that Postgres receives from the services while something is done, each text once. Taken from its log, so that none is
 * left out.
 *
 * @param stack with a Postgres of its own
 */
export async function captureStatements(
  stack: Stack,
  work: () => Promise<unknown>,
): Promise<readonly CapturedStatement[]> {
  const admin = new Client({ connectionString: stack.adminDatabaseUrl })
  await admin.connect()
  const set = async (settings: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(settings))
      await admin.query(`ALTER SYSTEM SET ${name} = '${value}'`)
    await admin.query('SELECT pg_reload_conf()')
  }
  try {
    await set({ log_line_prefix: '@%u@ ', log_parameter_max_length: '0', log_statement: 'all' })
    const begun = stack.part('postgres').output().length
    await work()
    await admin.query(`SELECT '${END}'`)
    const log = await eventually(() => {
      const output = stack.part('postgres').output().slice(begun)
      if (!output.includes(END)) throw new Error('Postgres has not written its log')
      return Promise.resolve(output)
    })
    return statementsIn(log)
  } finally {
    await set({ log_statement: 'none' })
    await admin.end()
  }
}

function statementsIn(log: string): CapturedStatement[] {
  const found = new Map<string, CapturedStatement>()
  // Further lines of an entry begin with a tab.
  for (const entry of log.replaceAll('\n\t', ' ').split('\n')) {
    const [head, service = ''] = ENTRY.exec(entry) ?? []
    if (head === undefined || service === 'postgres') continue
    const text = entry.slice(head.length).trim()
    found.set(`${service} ${text}`, { service, text })
  }
  return [...found.values()]
}
