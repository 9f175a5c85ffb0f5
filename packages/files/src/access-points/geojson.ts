import { isObject, number, text } from './geosubmit.js'
import { isOptedOut } from '@bearing/contracts/location/access-points/opted-out'
import { checkRow, type Reading, type RecordReader } from './check-row.js'

/** Members of `properties` that may contain the MAC address; the first one counts. */
const ADDRESSES = ['bssid', 'macAddress', 'mac', 'netid'] as const

/**
 * Reads GeoJSON (RFC 7946): each feature is an access point with a point as geometry and the MAC address in `properties`.
 * Features are members of a `FeatureCollection`, or one per line (RFC 8142).
 */
export function geojsonReader(records: 'lines' | 'features'): RecordReader {
  return {
    content: 'positions',
    records,
    readAll: (record) => [readFeature(record)],
  }
}

function readFeature(feature: unknown): Reading {
  if (!isObject(feature) || feature['type'] !== 'Feature') return 'malformed'
  const { geometry, properties } = feature
  if (!isObject(geometry) || geometry['type'] !== 'Point' || !isObject(properties)) return 'malformed'
  const name = ADDRESSES.find((key) => key in properties)
  const at = geometry['coordinates']
  const [longitude, latitude] = Array.isArray(at) ? (at as unknown[]) : []
  const row = checkRow(text(name && properties[name]), number(latitude), number(longitude), null)
  return row !== 'unusable_mac' && isOptedOut(text(properties['ssid'])) ? 'opted_out' : row
}
