import { join } from 'node:path'
import { freePort } from '@bearing/local/ports'
import { startProcess } from '@bearing/local/process'

/** The bare pipeline, running. */
export interface Baseline {
  readonly port: number
  stop(): Promise<void>
}

/** Starts the bare pipeline on a NATS server, as two processes. */
export async function startBaseline(natsUrl: string): Promise<Baseline> {
  const { host, username, password } = new URL(natsUrl)
  const processes = await Promise.all(
    (['http', 'echo'] as const).map(async (name) => {
      const port = await freePort()
      const child = await startProcess({
        name: `baseline ${name}`,
        script: join(import.meta.dirname, `${name}.js`),
        env: {
          PORT: String(port),
          NATS_SERVER: host,
          NATS_USER: decodeURIComponent(username),
          NATS_PASSWORD: decodeURIComponent(password),
        },
        ready: { url: `http://127.0.0.1:${String(port)}/ready` },
      })
      return { port, child }
    }),
  )
  return {
    port: processes[0]?.port ?? 0,
    stop: async () => {
      await Promise.all(processes.map(({ child }) => child.stop()))
    },
  }
}
