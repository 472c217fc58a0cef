import { pageLanguage, say } from '../language.ts'
import { SHARE_PATH, SHARED_FILES } from './share.ts'

const icon = (name: string, size: number, purpose: 'any' | 'maskable' = 'any') => ({
  src: `assets/${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

const shortcut = (name: string, url: string) => ({ name, url, icons: [icon('icon-192', 192)] })

/** Describes the app to systems that install it. Addresses are relative to that of the manifest. */
export const manifest = () => ({
  ...{ id: './', start_url: './', scope: './', display: 'standalone', lang: pageLanguage() },
  ...{ name: 'Corkboard', short_name: 'Corkboard' },
  ...{ background_color: '#fbfaf8', theme_color: '#fbfaf8' },
  icons: [
    icon('icon-192', 192),
    icon('icon-512', 512),
    icon('icon-maskable', 512, 'maskable'),
    { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ],
  shortcuts: [
    shortcut(say('pages.new_task'), 'my?add'),
    shortcut(say('pages.inbox'), 'inbox'),
    shortcut(say('pages.my_tasks'), 'my'),
  ],
  share_target: {
    ...{ action: SHARE_PATH.slice(1), method: 'POST', enctype: 'multipart/form-data' },
    params: {
      ...{ title: 'share_title', text: 'share_text', url: 'share_url' },
      files: [{ name: SHARED_FILES, accept: ['*/*'] }],
    },
  },
})
