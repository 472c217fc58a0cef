/** The color tokens that charts use. */
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

/**
 * Resolves tokens and the font size, because a canvas supports neither CSS variables nor relative
 * sizes.
 */
export function themeAt(element: HTMLElement): Theme {
  const probe = document.createElement('span')
  element.append(probe)
  const colors = TOKENS.map((token) => {
    probe.style.color = `var(--${token})`
    return [token, getComputedStyle(probe).color] as const
  })
  const { fontSize, fontFamily } = getComputedStyle(element)
  probe.remove()
  const size = Math.round(Number.parseFloat(fontSize))
  return {
    ...(Object.fromEntries(colors) as Record<Token, string>),
    font: `${size}px ${fontFamily}`,
  }
}

/** Hatchings, so that bands can be told apart without color. */
export const HATCHES = ['plain', 'slash', 'back', 'dots', 'level'] as const
export type Hatch = (typeof HATCHES)[number]
export interface BandStyle {
  token: Token
  hatch: Hatch
}

const TILE_SIZE = 8

/** The fill of a band: its color, translucent, with its hatching. */
export function fillPattern(color: string, hatch: Hatch): CanvasPattern | string {
  const tile = document.createElement('canvas')
  const scale = devicePixelRatio
  tile.width = tile.height = TILE_SIZE * scale
  const context = tile.getContext('2d')!
  context.scale(scale, scale)
  context.fillStyle = color
  context.globalAlpha = 0.34
  context.fillRect(0, 0, TILE_SIZE, TILE_SIZE)
  context.globalAlpha = 0.8
  context.strokeStyle = color
  for (const line of STROKES[hatch]) {
    const [x, y, toX, toY] = line
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(toX, toY)
    context.stroke()
  }
  return context.createPattern(tile, 'repeat') ?? color
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
