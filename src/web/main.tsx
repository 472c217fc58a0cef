import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { cache } from './data/cache.ts'
import { App } from './frame/app.tsx'
import { Guard } from './frame/fault.tsx'

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <Guard place="">
        <App />
      </Guard>
    </QueryClientProvider>
  </StrictMode>,
)
