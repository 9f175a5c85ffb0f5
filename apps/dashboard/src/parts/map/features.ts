// Features of a map. Each page with a map has a table with the same data: a canvas cannot be read aloud.

/** A box on the Earth, in degrees. `west` is more than `east` across the antimeridian. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Shape for the kind of a point: circles are Wi-Fi, triangles several cells, squares one cell, diamonds access points. */
export type Shape = 'circle' | 'triangle' | 'square' | 'diamond'
export const SHAPES: readonly Shape[] = ['circle', 'triangle', 'square', 'diamond']

/** The color of a point. The first four are ages, the newest first; each is a class `tone-…` of the stylesheet. */
export type Tone = 'new' | 'recent' | 'old' | 'stale' | 'accent' | 'attention' | 'plain'
export const TONES: readonly Tone[] = ['new', 'recent', 'old', 'stale', 'accent', 'attention', 'plain']

export interface MapPoint {
  /** Unique on its map: what `selected` and `onSelect` take. */
  readonly id: string
  /** Degrees, WGS 84. */
  readonly lat: number
  readonly lon: number
  /** Radii of the circles around it, in true meters. */
  readonly radii?: readonly number[]
  readonly shape: Shape
  readonly tone: Tone
  /** Its circle is hatched: the position is less certain to be right, because it comes from another provider. */
  readonly isHatched?: boolean
  /** Written beside it where there is room. */
  readonly label: string
}

/** A cell of a heat map. */
export interface MapArea extends Box {
  readonly id: string
  /** 0 to 1: how much is in it. */
  readonly share: number
}

/** A way from place to place, such as the track of a device. */
export interface MapLine {
  readonly id: string
  readonly places: readonly { readonly lat: number; readonly lon: number }[]
}

/** Everything on a map. Lists are compared by identity: keep them in `useMemo`. */
export interface MapContent {
  readonly points: readonly MapPoint[]
  readonly areas?: readonly MapArea[]
  readonly lines?: readonly MapLine[]
  /** Small points behind all others, which cannot be selected: access points around. */
  readonly background?: readonly MapPoint[]
  /** The box of "Show all", and of the map at first (default: points and lines, else the features behind them). */
  readonly whole?: Box | undefined
}

export interface WorldMapProps extends MapContent {
  /** Description of the map, for screen readers: "Positions of 12 devices". */
  readonly label: string
  /** The id of the point that is selected; the map moves to it if it cannot be seen. */
  readonly selected?: string | undefined
  /** A point was clicked; undefined: the map beside all points. */
  readonly onSelect?: (id: string | undefined) => void
  /** The box at first (default: `whole`). Later values are ignored: the map is the user's then. */
  readonly firstBox?: Box | undefined
  /** The map moves there if it is another object than before: a place that was chosen elsewhere on the page. */
  readonly goTo?: Box | undefined
  /** Called with the box that is shown, after each move of the map; `isChosen`: by the user, not to show everything. */
  readonly onBox?: (box: Box, isChosen: boolean) => void
  /** A map beside other things is lower than one that is the page. */
  readonly isSmall?: boolean
}
