type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** Creates an element. Nothing is parsed as HTML, which the Content Security Policy forbids. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value)
  node.append(...children)
  return node
}

/** A button of the editor. Pressing it leaves the focus where it is. */
export function button(
  { label, ...attributes }: Attributes & { label: string },
  content: Node | string,
  onPress: (event: MouseEvent) => void,
): HTMLButtonElement {
  const node = element('button', { type: 'button', 'aria-label': label, ...attributes }, content)
  node.title = label
  node.onmousedown = (event) => event.preventDefault()
  node.onclick = onPress
  return node
}

const SVG = 'http://www.w3.org/2000/svg'

/** An icon on a grid of 16, in the color of the text. */
export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'cm-icon')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const shape = document.createElementNS(SVG, 'path')
  shape.setAttribute('d', path)
  svg.append(shape)
  return svg
}
