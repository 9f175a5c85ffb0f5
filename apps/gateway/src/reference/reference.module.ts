import { Module } from '@nestjs/common'

/**
 * Serves the documentation: the pages that `apps/docs` builds, the page of every error code among them, an OpenAPI document that is
 * built from the route table and the contracts, and a page to read it. It is public, has no state and calls no service. May import `authenticate`, `problems` and
 * `ground` for their constants.
 */
@Module({})
export class ReferenceModule {}
