import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@bearing/local/ports'
import { startProcess } from '@bearing/local/process'
import { findPrometheus } from '@bearing/local/prometheus-binary'
import { ROOT } from './root.js'

interface Reply {
  readonly status: string
  readonly error?: string
  readonly data?: unknown
}

/** A series of a result: its labels, and time and value of its sample. */
interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

/** A real Prometheus that scrapes processes of this machine every second. */
export interface Prometheus {
  /**
   * Evaluates an expression now.
   *
   * @throws where Prometheus refuses it
   */
  query(expression: string): Promise<Sample[]>
  /** Returns the data at a path of its API, such as `rules`. */
  api(path: string): Promise<unknown>
  stop(): Promise<void>
}

/**
 * @param jobs addresses of processes, by the label `job` that they get
 * @param rules path of a file of rules, which are evaluated every second
 */
export async function startPrometheus(
  jobs: Readonly<Record<string, readonly string[]>>,
  rules: string,
): Promise<Prometheus> {
  const { prometheus } = await findPrometheus(join(ROOT, '.bearing', 'prometheus'))
  const directory = await mkdtemp(join(tmpdir(), 'bearing-prometheus-'))
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: Object.entries(jobs).map(([job_name, targets]) => ({
      job_name,
      static_configs: [{ targets }],
    })),
  }
  // Every JSON is YAML.
  await writeFile(join(directory, 'prometheus.yml'), JSON.stringify(config))
  const url = `http://127.0.0.1:${String(await freePort())}`
  const child = await startProcess({
    name: 'prometheus',
    command: prometheus,
    args: [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=${new URL(url).host}`,
      '--log.level=error',
    ],
    env: { GOMAXPROCS: '1' },
    ready: { url: `${url}/-/ready` },
  })
  const api = async (path: string, parameters: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const reply = await fetch(`${url}/api/v1/${path}?${String(new URLSearchParams(parameters))}`)
    const { status, error, data } = (await reply.json()) as Reply // as its documentation says
    if (status !== 'success') throw new Error(`${error ?? status}: ${JSON.stringify(parameters)}`)
    return data
  }
  return {
    query: async (query) => ((await api('query', { query })) as { result: Sample[] }).result,
    api,
    stop: async () => {
      await child.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
