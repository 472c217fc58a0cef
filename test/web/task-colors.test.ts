import { expect, test } from 'bun:test'

const read = (path: string) => Bun.file(new URL(`../../src/${path}`, import.meta.url)).text()

type Rgb = readonly [number, number, number]
const rgbOf = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb

function luminance(color: Rgb) {
  const [r, g, b] = color.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: Rgb, other: Rgb) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

const mix = (color: Rgb, percent: number, base: Rgb) =>
  base.map((value, at) => value + ((color[at]! - value) * percent) / 100) as unknown as Rgb

/** The corners of the color space and the colors that the app offers. */
const COLORS = [
  ...['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff', '#ff00ff'],
  ...['#d14343', '#c2571a', '#a16a07', '#5d7f11', '#2a8244', '#0f7f76', '#2f6fd0', '#c43c74'],
].map(rgbOf)

test('titles are readable on a task in any color, in both themes and also when it is done', async () => {
  const tokens = await read('design/tokens.css')
  const themesOf = (name: string) =>
    new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens)!.slice(1).map(rgbOf)
  const [ink, soft, card] = ['ink', 'soft', 'card'].map(themesOf) as [Rgb[], Rgb[], Rgb[]]
  const styles = await Promise.all(
    ['timeline/bar', 'calendar/calendar', 'calendar/more'].map((name) =>
      read(`web/screens/board/${name}.css`),
    ),
  )
  const rules = styles.join('\n').matchAll(/([^{}]*\.colored[^{}]*)\{([^}]*)\}/g)
  let checked = 0
  for (const [, selector, body] of rules)
    for (const [, percent] of body!.matchAll(
      /background(?:-color)?:[^;]*var\(--mark\) (\d+)%, var\(--card\)/g,
    ))
      for (const theme of [0, 1])
        for (const color of COLORS) {
          const text = selector!.includes('.done') ? soft : ink
          const background = mix(color, Number(percent), card[theme]!)
          expect(contrast(text[theme]!, background)).toBeGreaterThan(4.5)
          checked++
        }
  expect(checked).toBeGreaterThan(100)
})
