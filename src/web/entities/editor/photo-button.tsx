import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import './photo-button.css'

interface Props {
  onFiles(files: readonly File[]): void
}

/** Opens the camera. Shown on touch screens, because a computer would only choose a file. */
export const PhotoButton = ({ onFiles }: Props) => (
  <label className="button quiet attach photo-button">
    <Icon name="camera" />
    <span className="unseen">{t('editor.take_a_photo')}</span>
    <input
      type="file"
      className="unseen"
      accept="image/*"
      capture="environment"
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])])
        target.value = ''
      }}
    />
  </label>
)
