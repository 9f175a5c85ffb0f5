/** Difficulty of a street. Shares are 0 to 1. Numbers without a source are assumptions that the statistics of the report show. */
export interface Severity {
  readonly name: string
  readonly seed: number
  /**
   * Access points that a scan contains on average, in the sparsest and in the densest quarter. From a suburb to a street of
   * apartment houses: public WiGLE logs have 2 to 3 in a scan, complete scans in a mall 30 to 40 (location study, 3 and 4).
   */
  readonly density: { readonly least: number; readonly most: number }
  /** Hotspots of phones, and access points of buses, in a scan on average. */
  readonly hotspots: number
  readonly buses: number
  /**
   * Access points that are moved to another place, or get another address, between the first scan and the last. Moved ones are the
   * main problem of databases (Sapiezynski et al., IMC 2015, 800 phones in 1.5 years).
   */
  readonly moved: number
  readonly replaced: number
  /**
   * Standard deviation of a position on an axis under an open sky, in meters: phones are off by 7 to 13 m in cities on average
   * (Merry and Bettinger, PLOS ONE 14(7), 2019), with assistance alone by 8 m (Zandbergen, Transactions in GIS 13(s1), 2009).
   */
  readonly gpsMeters: number
  /** The same across the street between high houses, where only satellites along it are seen (Groves, J. Navigation 64, 2011). */
  readonly canyonMeters: number
  /** Quarters with high houses, and quarters that nobody has surveyed. */
  readonly canyons: number
  readonly unsurveyed: number
  /**
   * The probability that a phone reports an access point from its cache if a scan has missed it, and if it has not.
   * wpa_supplicant keeps results for 180 s and 2 scans (bss.c), Linux for 15 to 30 s (net/wireless/scan.c), and drivers report such
   * signals again (Lui and Li, UNSW, 2011, "RSSI caching"). In an outdoor set of 2017, 62 % of what a phone received again after
   * more than 15 m had the same signal (location study, 0.4); in another one 21 % of all readings were stale.
   */
  readonly cachedIfMissed: number
  readonly cachedIfReceived: number
  /** Tracks by car. */
  readonly cars: number
  readonly radio: Radio
}

/** Attenuation of signals. */
export interface Radio {
  /** Path loss out of sight in a street canyon: 35.3 dB a decade (3GPP TR 38.901, table 7.4.1-1). */
  readonly dbADecade: number
  /** Shadowing from inside of houses: 7 dB (the same, table 7.5-6, O2I). */
  readonly shadowDb: number
  /** Standard deviation of offsets between phones: several dB between models, some between two of one (Lui and Li, UNSW, 2011). */
  readonly offsetDb: number
}

const RADIO: Radio = { dbADecade: 35.3, shadowDb: 7, offsetDb: 4 }

export const SEVERITIES: readonly Severity[] = [
  {
    name: 'mild',
    seed: 41,
    density: { least: 4, most: 30 },
    hotspots: 0.1,
    buses: 0.05,
    moved: 0.03,
    replaced: 0.05,
    gpsMeters: 4,
    canyonMeters: 8,
    canyons: 0.2,
    unsurveyed: 0.15,
    cachedIfMissed: 0.05,
    cachedIfReceived: 0.03,
    cars: 0.1,
    radio: RADIO,
  },
  {
    name: 'hard',
    seed: 42,
    density: { least: 1.5, most: 12 },
    hotspots: 0.3,
    buses: 0.1,
    moved: 0.08,
    replaced: 0.2,
    gpsMeters: 6,
    canyonMeters: 15,
    canyons: 0.3,
    unsurveyed: 0.3,
    cachedIfMissed: 0.15,
    cachedIfReceived: 0.12,
    cars: 0.25,
    radio: RADIO,
  },
  {
    name: 'severe',
    seed: 43,
    density: { least: 0.5, most: 6 },
    hotspots: 0.5,
    buses: 0.2,
    moved: 0.15,
    replaced: 0.35,
    gpsMeters: 10,
    canyonMeters: 25,
    canyons: 0.4,
    unsurveyed: 0.45,
    cachedIfMissed: 0.35,
    cachedIfReceived: 0.25,
    cars: 0.4,
    radio: RADIO,
  },
]
