import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { downloadFile } from '@bearing/contracts/management/data/file'
import type { Output } from '@bearing/contracts/operation'
import { ROUTES } from '@bearing/contracts/routes'
import { Controller, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Forwarding, routeCall, type RouteCall } from '../forward/forward.js'
import { HandleRoute } from '../forward/handle-route.js'
import { UNREAD_MS, endWhenNobodyReads } from '../forward/stream-lines.js'

type Part = Output<typeof downloadFile>

/** `GET …/files/:file_id/download`: sends the file part by part, or redirects to the bucket that stores it. */
@Controller()
export class DownloadFileRoute {
  private readonly call: RouteCall

  constructor(private readonly forwarding: Forwarding) {
    this.call = routeCall(ROUTES.downloadFile, forwarding)
  }

  @HandleRoute('downloadFile')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const first = await this.read(request, 0)
    if (first.address !== null) {
      void reply.code(302).headers({ location: first.address, 'referrer-policy': 'no-referrer' }).send()
      return
    }
    const { file_id: id = '' } = request.params as Record<string, string> // Fastify's own parser
    endWhenNobodyReads(request, reply, UNREAD_MS)
    void reply.headers({
      'content-type': 'application/octet-stream',
      'content-length': first.size,
      'content-disposition': `attachment; filename="${first.kind}-${id.toLowerCase()}"`,
    })
    // A HEAD reply has the length of the file, and no body.
    void reply.send(Readable.from(request.method === 'HEAD' ? [] : this.parts(request, first)))
  }

  /** A failed read ends the connection before the announced length, so no client takes the file for complete. */
  private async *parts(request: FastifyRequest, first: Part): AsyncGenerator<Buffer, void, undefined> {
    let part = first
    for (let offset = 0; offset < first.size;) {
      const data = Buffer.from(part.data, 'base64')
      yield data
      offset += data.length
      if (offset >= first.size || data.length === 0) return
      await this.forwarding.renew(request)
      part = await this.read(request, offset)
    }
  }

  private async read(request: FastifyRequest, offset: number): Promise<Part> {
    return (await this.call(request, { offset })) as Part // validated
  }
}
