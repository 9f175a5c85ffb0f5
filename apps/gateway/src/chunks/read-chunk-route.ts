import type { readChunk } from '@bearing/contracts/management/data/chunk'
import type { Output } from '@bearing/contracts/operation'
import { ROUTES } from '@bearing/contracts/routes'
import { Controller, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Forwarding, routeCall, type RouteCall } from '../forward/forward.js'
import { HandleRoute } from '../forward/handle-route.js'

/** `GET …/chunks/:chunk_id`: returns the bytes as the device sent them. */
@Controller()
export class ReadChunkRoute {
  private readonly call: RouteCall

  constructor(forwarding: Forwarding) {
    this.call = routeCall(ROUTES.readChunk, forwarding)
  }

  @HandleRoute('readChunk')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { content } = (await this.call(request)) as Output<typeof readChunk> // management has validated it
    void reply
      .code(ROUTES.readChunk.status)
      .headers({
        'content-type': 'application/octet-stream',
        // A browser must not render it.
        'content-disposition': 'attachment',
      })
      .send(Buffer.from(content, 'base64'))
  }
}
