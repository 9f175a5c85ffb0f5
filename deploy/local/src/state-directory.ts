import { chmodSync, closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@bearing/local/child'

/** Paths of `.bearing/`, where a local Bearing keeps everything. */
export interface StateDirectory {
  readonly path: string
  readonly secrets: string
  readonly socket: string
  readonly postgres: string
  readonly nats: string
  readonly natsServer: string
  readonly demoEnv: string
  readonly demoHeaders: string
  readonly logs: string
}

/** Opens the state directory of a checkout, and makes it on first use. */
export function openStateDirectory(checkout: string): StateDirectory {
  const path = join(checkout, '.bearing')
  const logs = join(path, 'logs')
  mkdirSync(logs, { recursive: true, mode: 0o700 })
  // As root, Postgres runs as another user, who has to pass through; what is in there is closed one by one.
  chmodSync(path, process.getuid?.() === 0 ? 0o711 : 0o700)
  chmodSync(logs, 0o700)
  return {
    path,
    secrets: join(path, 'secrets.json'),
    socket: join(path, 'start.sock'),
    postgres: join(path, 'postgres'),
    nats: join(path, 'nats'),
    natsServer: join(path, 'nats-server'),
    demoEnv: join(path, 'demo.env'),
    demoHeaders: join(path, 'demo.headers'),
    logs,
  }
}

/** Writes a file that only its owner reads; a reader never sees half of it. */
export function writePrivateFile(path: string, text: string): void {
  const part = `${path}.part`
  writeFileSync(part, text, { mode: 0o600 })
  chmodSync(part, 0o600)
  renameSync(part, path)
}

/** Opens `<name>.log`; the one of the start before is kept as `<name>.previous.log`. */
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
