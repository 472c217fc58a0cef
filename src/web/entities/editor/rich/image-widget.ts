import { type EditorView, WidgetType } from '@codemirror/view'
import { reserveSpace } from '../../../kit/image-size.ts'
import { element } from './element.ts'
import { isOwnAddress, linkTarget } from './link-target.ts'

export class ImageWidget extends WidgetType {
  readonly address: string
  readonly label: string
  constructor(address: string, label: string) {
    super()
    this.address = address
    this.label = label
  }
  get isOurs() {
    return isOwnAddress(linkTarget(this.address))
  }
  override eq({ address, label }: ImageWidget) {
    return address === this.address && label === this.label
  }
  toDOM(view: EditorView) {
    const image = element('img', { src: linkTarget(this.address), alt: this.label })
    reserveSpace(image)
    // Its size is known now, so the editor measures its lines again.
    image.onload = () => view.requestMeasure()
    return element('span', { class: 'cm-image' }, image)
  }
  override ignoreEvent() {
    return false
  }
}
