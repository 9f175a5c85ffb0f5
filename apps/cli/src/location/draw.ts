import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { UsageError } from '../usage-error.js'

/** Pixels of a PNG for each unit of the SVG: sharp on screens of today. */
const ZOOM = 2
/** A font that is part of the program: machines without a screen often have none. */
const FONT = 'DejaVu Sans'
const FONT_FILES = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf']

/**
 * Writes a drawing: as PNG where the name of the file ends in `.png`, else as SVG.
 *
 * @throws UsageError where the file cannot be written
 */
export async function draw(path: string, svg: string): Promise<void> {
  const drawing = extname(path).toLowerCase() === '.png' ? await pixelsOf(svg) : svg
  try {
    await writeFile(path, drawing)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // what node:fs throws
    throw new UsageError(`${path} cannot be written (${code ?? 'unknown error'}).`)
  }
}

async function pixelsOf(svg: string): Promise<Uint8Array> {
  // Loaded here because it is native code that nothing else needs.
  const { Resvg } = await import('@resvg/resvg-js')
  const { resolve } = createRequire(import.meta.url)
  const drawn = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: ZOOM },
    font: {
      fontFiles: FONT_FILES.map((name) => resolve(`dejavu-fonts-ttf/ttf/${name}`)),
      loadSystemFonts: false,
      defaultFontFamily: FONT,
      sansSerifFamily: FONT,
    },
  })
  return drawn.render().asPng()
}
