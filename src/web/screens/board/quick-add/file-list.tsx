import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'

interface Props {
  files: readonly File[]
  onChange(files: readonly File[]): void
}

/** The files that the new task gets, each with a button that removes it. */
export const FileList = ({ files, onChange }: Props) => (
  <p className="understood" aria-live="polite">
    {files.map((file, index) => (
      <button
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
        key={index}
        type="button"
        className="chip"
        aria-label={t('board.remove_file_name', { name: file.name })}
        onClick={() => onChange(files.toSpliced(index, 1))}
      >
        <Icon name="clip" />
        {file.name}
        <Icon name="close" />
      </button>
    ))}
  </p>
)
