import type { prepareUpload } from '@bearing/contracts/management/data/upload'
import type { Output } from '@bearing/contracts/operation'
import { ROUTES } from '@bearing/contracts/routes'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Controller, Inject, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Forwarding, render, routeCall, type RouteCall } from '../forward/forward.js'
import { HandleRoute } from '../forward/handle-route.js'
import type { Settings } from '../config.js'

/** `POST /api/v0/upload`: with a project key. */
@Controller()
export class PrepareDeviceUploadRoute {
  private readonly call: RouteCall

  constructor(
    forwarding: Forwarding,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.call = routeCall(ROUTES.prepareDeviceUpload, forwarding)
  }

  @HandleRoute('prepareDeviceUpload')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const prepared = (await this.call(request)) as Output<typeof prepareUpload> // validated
    render(reply, ROUTES.prepareDeviceUpload, absolute(prepared, request, this.settings.PUBLIC_URL))
  }
}

/** `POST …/projects/:project/upload`: with a token, or as a user. */
@Controller()
export class PrepareUploadRoute {
  private readonly call: RouteCall

  constructor(
    forwarding: Forwarding,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.call = routeCall(ROUTES.prepareUpload, forwarding)
  }

  @HandleRoute('prepareUpload')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const prepared = (await this.call(request)) as Output<typeof prepareUpload> // validated
    render(reply, ROUTES.prepareUpload, absolute(prepared, request, this.settings.PUBLIC_URL))
  }
}

/** Makes the upload URL absolute, because clients use it as it is. Without PUBLIC_URL it has the host of the request. */
function absolute(
  prepared: Output<typeof prepareUpload>,
  { protocol, host }: FastifyRequest,
  publicUrl: string,
): Output<typeof prepareUpload> {
  const base = publicUrl === '' ? `${protocol}://${host}` : publicUrl
  return { ...prepared, upload_url: new URL(prepared.upload_url, base).href }
}
