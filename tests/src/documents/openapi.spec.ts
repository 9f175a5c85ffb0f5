import { pathTemplate } from '@bearing/contracts/route'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { testStack } from '@bearing/testing/stack'
import { describe, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { send } from '../tools/http.js'

interface OpenApi {
  openapi: string
  paths: Record<
    string,
    Record<string, { operationId: string; responses: object; parameters: { in: string; name: string }[] }>
  >
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

describe('API reference', () => {
  const gateway = () => testStack().gatewayUrls[0] ?? ''
  const read = async () => (await send(gateway(), 'GET', '/openapi.json')).json as unknown as OpenApi

  it('is OpenAPI 3.1, and has every route of the table and no other', async () => {
    const { openapi, paths } = await read()
    expect(openapi).toBe('3.1.0')
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const table = (Object.values(ROUTES) as Route[]).map(
      (route) => `${route.method} ${pathTemplate(route).template}`,
    )
    expect(described.sort()).toEqual(table.sort())
  })

  it('names the parameters of a place once, as OpenAPI demands', async () => {
    const shapes = Object.keys((await read()).paths).map((path) => path.replaceAll(/\{[^}]+\}/g, '{}'))
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([])
  })

  it('has only references that lead somewhere, and schemas that compile', async () => {
    const { components, paths } = await read()
    const names = new Set(Object.keys(components.schemas))
    for (const [, name] of JSON.stringify([components, paths]).matchAll(
      /"\$ref":"#\/components\/schemas\/([^"]+)"/g,
    ))
      expect(names).toContain(name)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'bearing', components }, 'bearing')
    for (const name of names)
      expect(ajv.compile({ $ref: `bearing#/components/schemas/${name}` })).toBeInstanceOf(Function)
  })

  it('has no input that only the gateway sets', async () => {
    const { paths } = await read()
    for (const methods of Object.values(paths))
      for (const operation of Object.values(methods))
        expect([operation.operationId, JSON.stringify(operation)]).toEqual([
          operation.operationId,
          expect.not.stringMatching(/set by the gateway/i),
        ])
  })

  it('declares 429 on every route that limits requests, and 503 in its place where devices send', async () => {
    const { paths } = await read()
    for (const { path, method, ...route } of Object.values(ROUTES) as Route[]) {
      // Public geolocation services answer 403 to a key that is used too often.
      if (route.signedAddress || route.dialect === 'geolocation') continue
      const { template } = pathTemplate({ path })
      const responses = paths[template]?.[method.toLowerCase()]?.responses ?? {}
      const expected = route.device ? '503' : '429'
      expect([template, Object.keys(responses)]).toEqual([template, expect.arrayContaining([expected])])
    }
  })

  it('is sent compressed to clients that accept it, and not again to those that have it', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${gateway()}/openapi.json`, { headers })
    const plain = await ask({ 'accept-encoding': 'identity' })
    const bytes = (await plain.arrayBuffer()).byteLength
    const compressed = await send(gateway(), 'HEAD', '/openapi.json', {
      headers: { 'accept-encoding': 'br' },
    })
    expect(compressed.headers.get('content-encoding')).toBe('br')
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(bytes / 5)
    expect((await ask({ 'if-none-match': plain.headers.get('etag') ?? '' })).status).toBe(304)
  })

  it('declares every parameter of a path', async () => {
    const { paths } = await read()
    for (const [path, methods] of Object.entries(paths))
      for (const { parameters } of Object.values(methods))
        expect(
          parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`),
        ).toEqual(path.match(/\{[a-z_]+\}/g) ?? [])
  })

  it('describes every field of every schema, and every parameter', async () => {
    const { components, paths } = await read()
    const missing: string[] = []
    const walk = (schema: unknown, where: string): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { properties = {}, ...rest } = schema as { properties?: Record<string, object> }
      for (const [name, property] of Object.entries(properties)) {
        if (!hasText(property)) missing.push(`${where}.${name}`)
        walk(property, `${where}.${name}`)
      }
      for (const part of Object.values(rest)) walk(part, where)
    }
    walk(components.schemas, 'schemas')
    for (const methods of Object.values(paths))
      for (const { operationId, parameters, ...rest } of Object.values(methods)) {
        for (const parameter of parameters)
          if (!hasText(parameter)) missing.push(`${operationId} ${parameter.name}`)
        walk(rest, operationId)
      }
    // Describe the field in the contract, or its name in `field-descriptions.ts` of the gateway.
    expect(missing).toEqual([])
  })

  it('is a page to read, which loads nothing from elsewhere', async () => {
    const page = await send(gateway(), 'GET', '/docs/api', { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    for (const [, asset = ''] of page.text.matchAll(/(?:src|href)="([^"#]+)[^"]*"/g)) {
      expect(asset).toMatch(/^\//)
      expect((await send(gateway(), 'GET', asset)).status).toBe(200)
    }
  })

  it('the type of a problem leads to its page', async () => {
    const problem = await send(gateway(), 'GET', '/auth/me')
    const page = await send(gateway(), 'GET', String(problem.json?.['type']))
    expect(page.status).toBe(200)
    expect(page.text).toContain('credential_missing')
  })
})

function hasText(described: object): boolean {
  const { description } = described as { description?: unknown }
  return typeof description === 'string' && description.length > 2
}
