// `pnpm generate`: writes every committed file that follows from the code, in the format of Prettier, if it has changed.
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { format, getFileInfo, resolveConfig } from 'prettier'
import { withResults } from './dist/campaigns/results.js'
import { clientCalls } from './dist/reference/client-calls.js'
import { withAlerts } from '../deploy/local/dist/chart/alerts-table.js'
import { valuesSchema } from '../deploy/local/dist/chart/chart-schema.js'
import { chartSettings, settingsFile } from '../deploy/local/dist/chart/chart-settings.js'
import { withUsers, withUsersAsValues } from '../deploy/local/dist/chart/nats-users.js'
import { readValues } from '../deploy/local/dist/chart/values-file.js'

const root = join(import.meta.dirname, '..')
const ignorePath = join(root, '.prettierignore')
const chart = join(root, 'deploy', 'helm', 'bearing')

await update('packages/client/src/generated/calls.ts', clientCalls)
const rules = await readFile(join(chart, 'files', 'rules.yaml'), 'utf8')
await update('docs/monitoring.md', (page) => withAlerts(page, rules))
await update('docs/reliability.md', (page) => withResults(page, join(root, 'tests', 'campaigns')))
const settings = await chartSettings(root)
const values = readValues(await readFile(join(chart, 'values.yaml'), 'utf8'))
await update('deploy/helm/bearing/values.schema.json', () => valuesSchema(settings, values))
await update('deploy/helm/bearing/files/settings.json', () => settingsFile(settings))
await update('deploy/nats.conf', withUsers)
await update('deploy/kubernetes/nats-values.yaml', withUsersAsValues)

/** @param {string} file @param {(text: string) => string} change */
async function update(file, change) {
  const path = join(root, file)
  const before = await readFile(path, 'utf8')
  const changed = change(before)
  if (changed === before) return
  const { ignored, inferredParser: parser } = await getFileInfo(path, { ignorePath })
  const after =
    ignored || parser === null ? changed : await format(changed, { ...(await resolveConfig(path)), parser })
  if (after === before) return
  await writeFile(path, after)
  process.stdout.write(`${relative(root, path)} written\n`)
}
