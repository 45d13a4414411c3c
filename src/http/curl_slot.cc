#include "http/curl_slot.h"

namespace tailrace {
namespace {

Status NoMemory() { return MakeError(ErrorKind::kTransient, "libcurl cannot make a handle: out of memory"); }

}  // namespace

Status InitCurl() {
  // Initialised by the first caller; the others wait for it.
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code == CURLE_OK) return Status::OK();
  return MakeError(ErrorKind::kInternal, std::string("libcurl cannot be initialised: ") + curl_easy_strerror(code));
}

arrow::Result<std::unique_ptr<CurlShare>> CurlShare::Make() {
  std::unique_ptr<CurlShare> share(new CurlShare);
  share->handle_.reset(curl_share_init());
  CURLSH* const handle = share->get();
  if (handle == nullptr || curl_share_setopt(handle, CURLSHOPT_USERDATA, share.get()) != CURLSHE_OK ||
      curl_share_setopt(handle, CURLSHOPT_LOCKFUNC, &CurlShare::Lock) != CURLSHE_OK ||
      curl_share_setopt(handle, CURLSHOPT_UNLOCKFUNC, &CurlShare::Unlock) != CURLSHE_OK ||
      curl_share_setopt(handle, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS) != CURLSHE_OK ||
      curl_share_setopt(handle, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION) != CURLSHE_OK) {
    return NoMemory();
  }
  return share;
}

void CurlShare::Lock(CURL*, curl_lock_data data, curl_lock_access, void* self) {
  static_cast<CurlShare*>(self)->mutexes_[data].lock();
}

void CurlShare::Unlock(CURL*, curl_lock_data data, void* self) {
  static_cast<CurlShare*>(self)->mutexes_[data].unlock();
}

arrow::Result<std::unique_ptr<CurlSlot>> CurlSlot::Make() {
  auto slot = std::make_unique<CurlSlot>();
  slot->multi.reset(curl_multi_init());
  slot->easy.reset(curl_easy_init());
  if (slot->multi == nullptr || slot->easy == nullptr) return NoMemory();
  // One transfer, one connection: the number of slots bounds both.
  if (curl_multi_setopt(slot->multi.get(), CURLMOPT_MAXCONNECTS, 1L) != CURLM_OK) return NoMemory();
  return slot;
}

}  // namespace tailrace
