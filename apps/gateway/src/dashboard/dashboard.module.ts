import { Module } from '@nestjs/common'

/**
 * Serves the pages of the dashboard, which `apps/dashboard` builds: a fixed list of files that is read at startup, under a strict
 * content security policy. It is public, has no state and calls no service: pages read their data through the API. May import
 * `server`, `problems` and `ground`.
 */
@Module({})
export class DashboardModule {}
