import { Suspense, useRef, useState } from 'react'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { Actor } from './actor.ts'
import { Avatar } from './avatar.tsx'
import { usePictureChanges } from './picture-changes.ts'
import './picture.css'

const CropDialog = lazyComponent(() => import('./crop-dialog.tsx'))

/** The formats that browsers read. SVG is none of them, because it can contain scripts. */
const FORMATS = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

/** The picture of a person or an agent, with buttons that upload and remove it. */
export function PictureField({ actor }: { actor: Actor }) {
  const { hasPicture, upload, remove } = usePictureChanges(actor)
  const [image, setImage] = useState<ImageBitmap>()
  const input = useRef<HTMLInputElement>(null)
  const open = async (file: File | undefined) => {
    if (!file) return
    const bitmap = FORMATS.includes(file.type || 'unknown') ? await readImage(file) : undefined
    if (bitmap) setImage(bitmap)
    else showToast(t('user.name_is_no_image_that_can_be_used', { name: file.name }))
  }
  return (
    <span className="picture-field">
      <span aria-hidden="true">
        <Avatar actor={actor} />
      </span>
      <input
        ref={input}
        type="file"
        accept={FORMATS}
        hidden
        aria-label={t('user.picture')}
        onChange={({ currentTarget }) => {
          void open(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      <button type="button" className="button plain" onClick={() => input.current?.click()}>
        {hasPicture ? t('user.replace_picture') : t('user.upload_picture')}
      </button>
      {hasPicture && (
        <button type="button" className="button quiet" onClick={() => void remove()}>
          {t('user.remove_picture')}
        </button>
      )}
      {image && (
        <Suspense>
          <CropDialog
            {...{ image, upload }}
            isRound={actor.kind !== 'agent'}
            onClose={() => setImage(undefined)}
          />
        </Suspense>
      )}
    </span>
  )
}

const readImage = (file: File) => createImageBitmap(file).catch(() => undefined)
