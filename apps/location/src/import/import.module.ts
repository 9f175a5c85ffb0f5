import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { AppendToImport } from './append-to-import.js'
import { BeginImport } from './begin-import.js'
import { CommitImport } from './commit-import.js'
import { CommitWorker } from './commit-worker.js'
import { ImportLimits } from './import-limits.js'
import { ListImports } from './list-imports.js'
import { SweepOpenImports } from './sweep-open-imports.js'
import { ShowImport } from './show-import.js'

/**
 * Imports of access points and radio cells: batches are stored first, and one transaction makes an import visible. It may write
 * `imports`, `import_batches` and the imported tables of stations. It imports `ground`.
 */
@Module({
  controllers: [AppendToImport, BeginImport, CommitImport, ListImports, ShowImport],
  providers: [
    CommitWorker,
    SweepOpenImports,
    {
      provide: ImportLimits,
      useFactory: (settings: Settings) =>
        new ImportLimits(settings.IMPORTS_PER_ORGANIZATION, settings.IMPORT_BYTES_PER_ORGANIZATION),
      inject: [SETTINGS],
    },
  ],
})
export class ImportModule {}
