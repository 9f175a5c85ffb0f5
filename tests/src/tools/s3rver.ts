import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'

/** A server of S3, as far as tests use it. The package has no types. */
interface Server {
  readonly store: {
    getObject(
      bucket: string,
      key: string,
      options: object,
    ): Promise<{ content: { destroy(): void }; metadata: Record<string, string> } | null>
  }
  configureBuckets(): Promise<unknown>
  callback(): (request: IncomingMessage, response: ServerResponse) => void
}

interface Options {
  readonly directory: string
  readonly silent: boolean
  readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[]
}

const require = createRequire(import.meta.url)
export const S3rver = require('@20minutes/s3rver') as new (options: Options) => Server
