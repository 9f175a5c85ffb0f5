import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { z } from 'zod'
import { UsageError } from '../ground/usage-error.js'

/** Permissions of others: neither they nor the group may read or change such a file. */
const OTHERS = 0o077

/** A JSON file of the user that nobody else can read or write. */
export class PrivateFile<Schema extends z.ZodType> {
  /** @param path undefined if the user has no home directory: then it is empty and cannot be written */
  constructor(
    readonly path: string | undefined,
    private readonly schema: Schema,
    private readonly empty: z.output<Schema>,
  ) {}

  /**
   * Returns what the file contains, or the empty content if there is none.
   *
   * @throws UsageError if others could have read or changed it, or it is damaged. Never names its content.
   */
  read(): z.output<Schema> {
    const { path } = this
    const text = path === undefined ? undefined : readIfThere(path)
    if (path === undefined || text === undefined) return this.empty
    if (process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0)
      throw new UsageError(
        `Other users of this machine can read or change ${path}.`,
        `Run "chmod 600 ${path}". If others may have read it, run "bearing logout" and "bearing login".`,
      )
    const content = this.schema.safeParse(parsed(text))
    if (!content.success)
      throw new UsageError(`${path} is damaged.`, 'Delete it, and run "bearing login" again.')
    return content.data
  }

  /**
   * Replaces the content. A crash leaves the old content or the new one.
   *
   * @throws UsageError if it cannot be written
   */
  write(content: z.output<Schema>): void {
    const { path } = this
    if (path === undefined)
      throw new UsageError('There is no folder for settings.', 'Set HOME or XDG_CONFIG_HOME.')
    const temporary = `${path}.${randomUUID()}`
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
      chmodSync(temporary, 0o600)
      renameSync(temporary, path)
    } catch (cause) {
      throw new UsageError(`${path} cannot be written (${codeOf(cause)}).`)
    }
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read (${codeOf(cause)}).`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'
}
