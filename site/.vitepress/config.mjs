// @ts-check
/**
 * VitePress configuration: pages are the documents in docs/ and the API pages from TypeDoc. The site loads nothing from
 * other hosts.
 */
import { linksOfTheSite, SOURCES, siteLink } from '../links.mjs';
import { allPages, BASE, counterparts, notPages } from '../pages.mjs';
import { api, guide, guideInChinese, project } from '../sidebar.mjs';
import { slugOf } from '../slug.mjs';
import { themeFile } from './theme/theme-file.mjs';

const CSP =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";
/** A page with one line scraped off. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="2" width="12" height="16" rx="2" fill="#3451b2"/><path d="M5 4h6M5 12h6" stroke="#fff" stroke-width="1.6"/><path d="M5 8h6" stroke="#fff" stroke-opacity=".35" stroke-width="1.6" stroke-dasharray="1.5 1"/></svg>',
)}`;
const isBuild = process.argv.includes('build');
const sidebars = { '/api/': api(), '/zh/': guideInChinese() };
const projectPages = ['/spec/', '/architecture', '/changelog', '/contributing', '/notice', '/security'];

export default {
  base: BASE,
  title: 'palimpsest',
  description: "Keeps a coding agent's conversation inside the model's context window",
  srcDir: '..',
  srcExclude: notPages(),
  rewrites: allPages(),
  outDir: '../build/site',
  cacheDir: '../build/site-cache',
  // `check-site.mjs` checks all links of the built site, including anchors.
  ignoreDeadLinks: true,
  head: [
    // Without an icon browsers request /favicon.ico from the host's root.
    ['link', { rel: 'icon', href: ICON }],
    ...(isBuild ? [['meta', { 'http-equiv': 'Content-Security-Policy', content: CSP }]] : []),
  ],
  markdown: {
    anchor: { slugify: slugOf },
    config: linksOfTheSite,
  },
  // Converts the links of the home pages' buttons, which lead to repository files like all other links.
  transformPageData({ filePath, frontmatter }) {
    for (const action of frontmatter.hero?.actions ?? []) action.link = siteLink(filePath, action.link);
  },
  vite: {
    resolve: {
      alias: [
        { find: /^\.\.?\/composables\/langs$/, replacement: themeFile('languages.js') },
        { find: './VPNavBarSearch.vue', replacement: themeFile('Search.vue') },
        // The original loads its icons from another host.
        { find: './VPSocialLinks.vue', replacement: themeFile('Nothing.vue') },
      ],
    },
    server: { host: '127.0.0.1', watch: { ignored: ['**/target/**', '**/build/site/**', '**/crates/**'] } },
    build: { chunkSizeWarningLimit: 1500 },
  },
  vue: { template: { compilerOptions: { isCustomElement: (/** @type {string} */ tag) => tag.includes('-') } } },
  locales: {
    root: { label: 'English', lang: 'en' },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      title: 'palimpsest',
      description: '让编码智能体的对话始终留在模型的上下文窗口之内',
      themeConfig: {
        nav: [
          { text: '指南', link: guideInChinese()[0]?.items?.[0]?.link, activeMatch: '^/zh/.' },
          { text: 'API', link: '/api/' },
          { text: 'GitHub', link: SOURCES },
        ],
        outline: { level: [2, 3], label: '本页内容' },
        docFooter: { prev: '上一页', next: '下一页' },
        darkModeSwitchLabel: '外观',
        lightModeSwitchTitle: '切换到浅色',
        darkModeSwitchTitle: '切换到深色',
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        langMenuLabel: '语言',
        skipToContentLabel: '跳到正文',
      },
    },
  },
  themeConfig: {
    counterparts: counterparts(),
    nav: [
      {
        text: 'Guide',
        link: '/guide/install.html',
        activeMatch: '^/(?!api/|zh/|spec/|changelog|contributing|architecture|notice|security|$)',
      },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      {
        text: 'Project',
        link: '/changelog.html',
        activeMatch: '^/(spec/|changelog|contributing|architecture|notice|security)',
      },
      { text: 'GitHub', link: SOURCES },
    ],
    sidebar: { ...sidebars, ...Object.fromEntries(projectPages.map((path) => [path, project()])), '/': guide() },
    outline: { level: [2, 3] },
    notFound: {
      title: 'THERE IS NO SUCH PAGE',
      quote: 'It may have another name: the search knows them all.',
      linkText: 'Home',
    },
  },
};
