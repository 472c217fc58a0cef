/** Colours that pictures are drawn with: the tokens, as they are now. */
const TOKENS = [
  'paper',
  'card',
  'ink',
  'soft',
  'line',
  'cork',
  'done',
  'wait',
  'live',
  'wrong',
] as const
export type Token = (typeof TOKENS)[number]
export type Theme = Record<Token, string> & { font: string }

/** A canvas knows no tokens, and no sizes that follow those of letters. */
export function themeAt(element: HTMLElement): Theme {
  const probe = document.createElement('span')
  element.append(probe)
  const found = TOKENS.map((token) => {
    probe.style.color = `var(--${token})`
    return [token, getComputedStyle(probe).color] as const
  })
  const { fontSize, fontFamily } = getComputedStyle(element)
  probe.remove()
  const size = Math.round(Number.parseFloat(fontSize))
  return {
    ...(Object.fromEntries(found) as Record<Token, string>),
    font: `${size}px ${fontFamily}`,
  }
}

/** Told apart without their colours too. */
export const HATCHES = ['plain', 'slash', 'back', 'dots', 'level'] as const
export type Hatch = (typeof HATCHES)[number]
export interface Look {
  token: Token
  hatch: Hatch
}

const GRAIN = 8

/** The ground of an area: its colour, thin, with strokes that are its own. */
export function groundOf(color: string, hatch: Hatch): CanvasPattern | string {
  const tile = document.createElement('canvas')
  const scale = devicePixelRatio
  tile.width = tile.height = GRAIN * scale
  const pen = tile.getContext('2d')!
  pen.scale(scale, scale)
  pen.fillStyle = color
  pen.globalAlpha = 0.34
  pen.fillRect(0, 0, GRAIN, GRAIN)
  pen.globalAlpha = 0.8
  pen.strokeStyle = color
  for (const line of STROKES[hatch]) {
    const [x, y, toX, toY] = line
    pen.beginPath()
    pen.moveTo(x, y)
    pen.lineTo(toX, toY)
    pen.stroke()
  }
  return pen.createPattern(tile, 'repeat') ?? color
}

type Stroke = readonly [number, number, number, number]
const STROKES: Record<Hatch, readonly Stroke[]> = {
  plain: [],
  slash: [
    [-1, 1, 1, -1],
    [0, 8, 8, 0],
    [7, 9, 9, 7],
  ],
  back: [
    [-1, 7, 1, 9],
    [0, 0, 8, 8],
    [7, -1, 9, 1],
  ],
  dots: [
    [1, 2, 3, 2],
    [5, 6, 7, 6],
  ],
  level: [[0, 4, 8, 4]],
}
