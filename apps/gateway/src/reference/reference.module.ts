import { Module } from '@nestjs/common'

/**
 * Serves the API reference: an OpenAPI document that is built from the route table and the contracts, a page to read it, and
 * the page of every error code. It is public, has no state and calls no service. May import `authenticate`, `problems` and
 * `ground` for their constants.
 */
@Module({})
export class ReferenceWing {}
