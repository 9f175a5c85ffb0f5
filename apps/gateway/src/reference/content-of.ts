import type { Route } from '@bearing/contracts/routes'

type Json = Record<string, unknown>

/** GeoJSON is the second alternative of an output. */
export function contentOf({ geoJson }: Route, media: string, schema: Json): Json {
  const [json, features] = geoJson ? (schema['anyOf'] as Json[]) : [schema] // a union of two
  return {
    [media]: { schema: json },
    ...(features && { 'application/geo+json': { schema: features } }),
  }
}

/** Returns the media type of the reply of a route. */
export function mediaOf({ stream, download, dialect }: Route): string {
  if (dialect === 'scim') return 'application/scim+json'
  if (download) return 'application/octet-stream'
  return stream ? 'application/x-ndjson' : 'application/json'
}

/** Returns the schema of each line of a stream: an item of `data`. */
export function itemOf({ properties }: Json): Json {
  return (properties as { data: { items: Json } }).data.items // the output of streamed operations
}
