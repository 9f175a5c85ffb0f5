import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configurationTable, withTable } from './configuration-table.js'

// `pnpm configuration-table`: brings the README up to date with the settings.
const readme = join(import.meta.dirname, '..', '..', 'README.md')
await writeFile(readme, withTable(await readFile(readme, 'utf8'), await configurationTable()))
