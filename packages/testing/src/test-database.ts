import { readSharedStack, type ServiceName } from './addresses.js'
import { copyDatabase, dropDatabase, type Database } from './databases.js'

/** A migrated database without rows, for one suite that needs no service and no NATS. On the Postgres of the shared stack. */
export class TestDatabase implements AsyncDisposable {
  private constructor(
    private readonly serverUrl: string,
    private readonly database: Database,
  ) {}

  static async create(): Promise<TestDatabase> {
    const { adminDatabaseUrl, templateDatabase } = readSharedStack()
    return new TestDatabase(adminDatabaseUrl, await copyDatabase(adminDatabaseUrl, templateDatabase))
  }

  /** As the role of each service. */
  get databaseUrls(): Readonly<Record<ServiceName, string>> {
    return this.database.serviceUrls
  }

  get adminDatabaseUrl(): string {
    return this.database.adminUrl
  }

  /** Deletes it. */
  async drop(): Promise<void> {
    await dropDatabase(this.serverUrl, this.database)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drop()
  }
}
