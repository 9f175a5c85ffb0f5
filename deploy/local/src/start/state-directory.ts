import { chmodSync, closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@bearing/local/child'

/** Paths of `.bearing/`, the directory with all data of a local Bearing. */
export interface StateDirectory {
  readonly path: string
  readonly secrets: string
  readonly socket: string
  readonly postgres: string
  readonly nats: string
  readonly demoEnv: string
  readonly demoHeaders: string
  readonly operatorEnv: string
  readonly logs: string
}

/** Opens a state directory, and creates it on first use. */
export function openStateDirectory(path: string): StateDirectory {
  const logs = join(path, 'logs')
  mkdirSync(logs, { recursive: true, mode: 0o700 })
  // If this runs as root, Postgres runs as another user, who needs to enter it; its contents are closed one by one.
  chmodSync(path, process.getuid?.() === 0 ? 0o711 : 0o700)
  chmodSync(logs, 0o700)
  return {
    path,
    secrets: join(path, 'secrets.json'),
    socket: join(path, 'start.sock'),
    postgres: join(path, 'postgres'),
    nats: join(path, 'nats'),
    demoEnv: join(path, 'demo.env'),
    demoHeaders: join(path, 'demo.headers'),
    operatorEnv: join(path, 'operator.env'),
    logs,
  }
}

/** Writes a file that only its owner can read, atomically. */
export function writePrivateFile(path: string, text: string): void {
  const part = `${path}.part`
  writeFileSync(part, text, { mode: 0o600 })
  chmodSync(part, 0o600)
  renameSync(part, path)
}

/** Opens `<name>.log`, and keeps the log of the previous start as `<name>.previous.log`. */
export function openLog({ logs }: StateDirectory, name: string): Log {
  const path = join(logs, `${name}.log`)
  try {
    renameSync(path, join(logs, `${name}.previous.log`))
  } catch {
    // There was none.
  }
  const file = openSync(path, 'a', 0o600)
  process.once('exit', () => {
    closeSync(file)
  })
  return (line) => {
    writeSync(file, `${line}\n`)
  }
}
