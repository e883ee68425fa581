// Replaces the theme's language switch, which leads to a 404 from a page that exists in one language only.
import { useData } from 'vitepress';
import { computed } from 'vue';

export function useLangs({ correspondingLink = false } = {}) {
  const { site, localeIndex, page, theme } = useData();
  const homeOf = (key) => (key === 'root' ? '/' : `/${key}/`);
  const currentLang = computed(() => ({
    label: site.value.locales[localeIndex.value]?.label,
    link: homeOf(localeIndex.value),
  }));
  const localeLinks = computed(() => {
    const others = Object.entries(site.value.locales).filter(([key]) => key !== localeIndex.value);
    const counterpart = correspondingLink ? theme.value.counterparts[page.value.relativePath] : undefined;
    return others.map(([key, { label, lang }]) => ({ text: label, link: linkOf(counterpart) ?? homeOf(key), lang }));
  });
  return { localeLinks, currentLang };
}

/** @param {string | undefined} sitePath of a page, with `.md` */
function linkOf(sitePath) {
  return sitePath && `/${sitePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')}`;
}
