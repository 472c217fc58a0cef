import { type DragEvent, useRef, useState } from 'react'
import type { IconName } from '../../kit/icon.tsx'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import { droppedFiles, filesOf } from './files.ts'
import type { PickedFile } from './worker-types.ts'

interface Props {
  onFiles(files: readonly PickedFile[]): void
}

/** Takes files and folders: dropped, or from the pickers of the system. */
export function DropZone({ onFiles }: Props) {
  const [isOver, setOver] = useState(false)
  const stop = (event: DragEvent, next: boolean) => {
    event.preventDefault()
    setOver(next)
  }
  return (
    <section
      className="drop-zone"
      data-over={isOver}
      aria-label={t('import.files_to_import')}
      onDragOver={(event) => stop(event, true)}
      onDragLeave={(event) => stop(event, false)}
      onDrop={(event) => {
        stop(event, false)
        void droppedFiles(event.dataTransfer).then(onFiles)
      }}
    >
      <p>{t('import.drop_files_or_a_folder_here')}</p>
      <div className="flex-wrap">
        <Picker className="main" icon="page" name={t('import.choose_files')} onFiles={onFiles} />
        <Picker
          {...{ className: 'plain', icon: 'inbox', name: t('import.choose_a_folder'), onFiles }}
          picksFolders
        />
      </div>
      <p className="soft">{t('import.zip_archives_are_unpacked')}</p>
    </section>
  )
}

interface PickerProps extends Props {
  className: string
  icon: IconName
  name: string
  picksFolders?: true
}

/** React's types lack this attribute, which every browser has. */
const FOLDERS = { webkitdirectory: '' } as object

/** A button that opens a picker of the system. */
function Picker({ className, icon, name, onFiles, picksFolders }: PickerProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        className={`button ${className}`}
        onClick={() => input.current?.click()}
      >
        <Icon name={icon} />
        {name}
      </button>
      <input
        {...{
          ref: input,
          type: 'file',
          multiple: true,
          hidden: true,
          ...(picksFolders && FOLDERS),
        }}
        aria-label={name}
        onChange={({ target }) => {
          const files = filesOf(target.files ?? [])
          // Otherwise the same files could not be chosen again.
          target.value = ''
          onFiles(files)
        }}
      />
    </>
  )
}
