import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { referencePage } from './reference-page.js'

// `pnpm command-reference`: brings docs/command-line-reference.md up to date with the commands.
const page = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'command-line-reference.md')
await writeFile(page, referencePage())
