import { useState } from 'react'
import type { Me } from '../frame/places.ts'
import { Icon } from '../parts/icon.tsx'
import type { Page } from './data.ts'

interface Told {
  name: string
  version: number
}

/** Who else saved a version while it was shown. */
export function useNews(page: Page, me: Me | undefined) {
  const [seen, setSeen] = useState(page.version)
  const [news, setNews] = useState<Told>()
  const { version, updated_by } = page
  if (seen !== version) {
    setSeen(version)
    const isMine = updated_by.kind === 'person' && updated_by.user_id === me?.profile.user_id
    setNews(isMine || version < seen ? undefined : { name: updated_by.name, version })
  }
  return [news, () => setNews(undefined)] as const
}

interface Props {
  news: Told | undefined
  isWriting: boolean
  onClose(): void
  onShow(version: number): void
}

/** Told where it is read; heard, too, by whoever does not see it. */
export const News = ({ news, isWriting, onClose, onShow }: Props) => (
  <div role="status">
    {news && (
      <p className="notice news">
        <span>
          {news.name} saved version {news.version}
          {isWriting && ' meanwhile: saving shows you both texts'}
        </span>
        {!isWriting && (
          <>
            <button type="button" className="button quiet" onClick={() => onShow(news.version)}>
              Show what changed
            </button>
            <button type="button" className="button quiet only" onClick={onClose}>
              <Icon name="close" label="Close" />
            </button>
          </>
        )}
      </p>
    )}
  </div>
)
