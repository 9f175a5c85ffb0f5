import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configurationTable, withTable } from './configuration-table.js'
import { ROOT } from '../tools/root.js'

// `pnpm configuration-table`: brings docs/configuration.md up to date with the settings.
const page = join(ROOT, 'docs', 'configuration.md')
await writeFile(page, withTable(await readFile(page, 'utf8'), await configurationTable()))
