import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { t } from '../../messages/t.ts'
import { type Crop, draw, encode, inside, MAX_ZOOM, moved, SIDE, WHOLE } from './crop.ts'
import './picture.css'

interface Props {
  image: ImageBitmap
  isRound: boolean
  upload(image: Blob): Promise<void>
  onClose(): void
}

/** Crops an image to a square: by dragging, by the arrow keys, and with a zoom slider. */
export default function CropDialog({ image, isRound, upload, onClose }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [crop, setCrop] = useState(WHOLE)
  const zoomId = useId()
  return (
    <FormDialog
      className="crop"
      title={t('user.crop_the_picture')}
      submitLabel={t('common.save')}
      onSubmit={async () => upload(await encode(canvas.current!))}
      onClose={onClose}
    >
      <CropArea {...{ canvas, image, isRound, crop }} onChange={setCrop} />
      <label htmlFor={zoomId}>{t('user.zoom')}</label>
      <input
        id={zoomId}
        type="range"
        min="1"
        max={MAX_ZOOM}
        step="0.05"
        value={crop.zoom}
        onChange={({ target }) => setCrop(inside(image, { ...crop, zoom: Number(target.value) }))}
      />
    </FormDialog>
  )
}

interface AreaProps extends Pick<Props, 'image' | 'isRound'> {
  canvas: RefObject<HTMLCanvasElement | null>
  crop: Crop
  onChange(crop: Crop): void
}

const STEP = 8
const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
}

function CropArea({ canvas, image, isRound, crop, onChange }: AreaProps) {
  // The dialog mounts its content after its own effects.
  useEffect(() => draw(canvas.current!, image, crop), [canvas, image, crop])
  const drag = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const scale = SIDE / canvas.current!.clientWidth
    onChange(moved(image, crop, event.movementX * scale, event.movementY * scale))
  }
  const press = (event: KeyboardEvent) => {
    const step = ARROWS[event.key]
    if (!step) return
    event.preventDefault()
    onChange(moved(image, crop, ...step))
  }
  return (
    <div
      className={isRound ? 'area round' : 'area'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the picture
      tabIndex={0}
      role="application"
      aria-label={t('user.part_of_the_picture_that_is_shown')}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    >
      <canvas ref={canvas} width={SIDE} height={SIDE} />
    </div>
  )
}
