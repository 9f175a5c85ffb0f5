import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../tools/root.js'
import { referencePages } from './pages.js'

// `pnpm reference`: brings the pages of docs/ that follow from the code up to date.
for (const [path, text] of await referencePages()) await writeFile(join(ROOT, 'docs', path), text)
