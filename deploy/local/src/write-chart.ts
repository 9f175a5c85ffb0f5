import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withAlerts } from './alerts-table.js'
import { valuesSchema } from './chart-schema.js'
import { chartSettings, settingsFile } from './chart-settings.js'
import { readValues } from './values-file.js'

// `pnpm chart`: brings the chart up to date with the settings of the services, and docs/operations.md with the alerts.
const checkout = join(import.meta.dirname, '..', '..', '..')
const chart = join(checkout, 'deploy', 'helm', 'bearing')
const settings = await chartSettings(checkout)
const values = readValues(await readFile(join(chart, 'values.yaml'), 'utf8'))
await writeFile(join(chart, 'files', 'settings.json'), settingsFile(settings))
await writeFile(join(chart, 'values.schema.json'), valuesSchema(settings, values))
const page = join(checkout, 'docs', 'operations.md')
const rules = await readFile(join(chart, 'files', 'rules.yaml'), 'utf8')
await writeFile(page, withAlerts(await readFile(page, 'utf8'), rules))
