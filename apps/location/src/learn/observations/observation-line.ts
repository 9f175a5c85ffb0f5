import { nameOfRadio } from '@bearing/contracts/location/cells/cell-identity'
import {
  exportedName,
  type ExportedObservation,
} from '@bearing/contracts/location/observations/exported-observation'
import { formatMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import type { StoredContribution } from '@bearing/positioning/learning/evidence/contribution-codec'
import type { Tombstones } from '../../ground/tombstones.js'

/**
 * Returns what is exported of a stored observation: what was learned from it, as it would have to be sent to be learned from once more.
 *
 * @param id of the observation
 * @returns undefined where nothing is left of it
 */
export function observationLine(
  id: string,
  contribution: StoredContribution,
  tombstones: Tombstones,
): ExportedObservation | undefined {
  const {
    lat,
    lon,
    accuracyMeters,
    atSeconds,
    speedMetersPerSecond: speed,
    height,
    learned,
    cells = [],
  } = tombstones.removeFrom(contribution)
  if (learned.length === 0 && cells.length === 0) return undefined
  return {
    id: exportedName(id),
    timestamp: Math.round(atSeconds * 1_000),
    position: {
      ...{ latitude: lat, longitude: lon, accuracy: accuracyMeters },
      ...(speed !== undefined && { speed }),
      ...(height?.floor !== undefined && { floor: height.floor }),
      ...(height?.altitude && {
        altitude: height.altitude.meters,
        altitudeAccuracy: height.altitude.accuracyMeters,
      }),
    },
    wifiAccessPoints: learned.map(({ bssid, signalDbm, ageMs }) => ({
      macAddress: formatMacAddress(bssid),
      signalStrength: signalDbm,
      ...(ageMs !== undefined && { age: ageMs }),
    })),
    ...(cells.length > 0 && { cellTowers: cells.map(towerOf) }),
  }
}

function towerOf({
  radio,
  mcc,
  mnc,
  area,
  cell,
  signalDbm,
}: NonNullable<StoredContribution['cells']>[number]) {
  return {
    radioType: nameOfRadio(radio),
    ...{ mobileCountryCode: mcc, mobileNetworkCode: mnc, locationAreaCode: area, cellId: cell },
    ...(signalDbm !== undefined && { signalStrength: signalDbm }),
  }
}
