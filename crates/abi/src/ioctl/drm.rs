//! Graphics: drm/drm.h, what all drivers share; linux/dma-buf.h, linux/sync_file.h and where such buffers come from.

use crate::structs::ioctl::{
    drm_i915_getparam, drm_mode_fb_cmd2, drm_mode_get_plane_res, drm_mode_obj_get_properties, drm_mode_obj_set_property,
    drm_unique, drm_version, drm_wait_vblank,
};

ioctl_rows! {
    ["drm/drm.h"] {
        0xc0246400 / 0xc0406400 DRM_IOCTL_VERSION inout[drm_version];
        0xc0086401 / 0xc0106401 DRM_IOCTL_GET_UNIQUE inout[drm_unique];
        0x80046402 DRM_IOCTL_GET_MAGIC out(4 "struct drm_auth");
        0xc0106403 DRM_IOCTL_IRQ_BUSID inout(16 "struct drm_irq_busid");
        0xc0186404 / 0xc0286404 DRM_IOCTL_GET_MAP refused "only drivers of before kernel mode setting have it";
        0xc0186405 / 0xc0286405 DRM_IOCTL_GET_CLIENT refused "only drivers of before kernel mode setting have it";
        0x807c6406 / 0x80f86406 DRM_IOCTL_GET_STATS refused "only drivers of before kernel mode setting have it";
        0xc0106407 DRM_IOCTL_SET_VERSION inout(16 "struct drm_set_version");
        0x40086408 DRM_IOCTL_MODESET_CTL in(8 "struct drm_modeset_ctl");
        0x40086409 DRM_IOCTL_GEM_CLOSE in(8 "struct drm_gem_close");
        0xc008640a DRM_IOCTL_GEM_FLINK inout(8 "struct drm_gem_flink");
        0xc010640b DRM_IOCTL_GEM_OPEN inout(16 "struct drm_gem_open");
        0xc010640c DRM_IOCTL_GET_CAP inout(16 "struct drm_get_cap");
        0x4010640d DRM_IOCTL_SET_CLIENT_CAP in(16 "struct drm_set_client_cap");
        0x40086410 / 0x40106410 DRM_IOCTL_SET_UNIQUE refused "only drivers of before kernel mode setting have it";
        0x40046411 DRM_IOCTL_AUTH_MAGIC in(4 "struct drm_auth");
        0xc0046412 DRM_IOCTL_BLOCK inout(4 "struct drm_block");
        0xc0046413 DRM_IOCTL_UNBLOCK inout(4 "struct drm_block");
        0x40086414 DRM_IOCTL_CONTROL in(8 "struct drm_control");
        0xc0186415 / 0xc0286415 DRM_IOCTL_ADD_MAP refused "only drivers of before kernel mode setting have it";
        0xc0186416 / 0xc0206416 DRM_IOCTL_ADD_BUFS refused "only drivers of before kernel mode setting have it";
        0x40186417 / 0x40206417 DRM_IOCTL_MARK_BUFS refused "only drivers of before kernel mode setting have it";
        0xc0086418 / 0xc0106418 DRM_IOCTL_INFO_BUFS refused "only drivers of before kernel mode setting have it";
        0xc00c6419 / 0xc0186419 DRM_IOCTL_MAP_BUFS refused "only drivers of before kernel mode setting have it";
        0x4008641a / 0x4010641a DRM_IOCTL_FREE_BUFS refused "only drivers of before kernel mode setting have it";
        0x4018641b / 0x4028641b DRM_IOCTL_RM_MAP refused "only drivers of before kernel mode setting have it";
        0x4008641c / 0x4010641c DRM_IOCTL_SET_SAREA_CTX refused "only drivers of before kernel mode setting have it";
        0xc008641d / 0xc010641d DRM_IOCTL_GET_SAREA_CTX refused "only drivers of before kernel mode setting have it";
        0x641e DRM_IOCTL_SET_MASTER none;
        0x641f DRM_IOCTL_DROP_MASTER none;
        0xc0086420 DRM_IOCTL_ADD_CTX inout(8 "struct drm_ctx");
        0xc0086421 DRM_IOCTL_RM_CTX inout(8 "struct drm_ctx");
        0x40086422 DRM_IOCTL_MOD_CTX in(8 "struct drm_ctx");
        0xc0086423 DRM_IOCTL_GET_CTX inout(8 "struct drm_ctx");
        0x40086424 DRM_IOCTL_SWITCH_CTX in(8 "struct drm_ctx");
        0x40086425 DRM_IOCTL_NEW_CTX in(8 "struct drm_ctx");
        0xc0086426 / 0xc0106426 DRM_IOCTL_RES_CTX refused "only drivers of before kernel mode setting have it";
        0xc0046427 DRM_IOCTL_ADD_DRAW inout(4 "struct drm_draw");
        0xc0046428 DRM_IOCTL_RM_DRAW inout(4 "struct drm_draw");
        0xc0286429 / 0xc0406429 DRM_IOCTL_DMA refused "only drivers of before kernel mode setting have it";
        0x4008642a DRM_IOCTL_LOCK in(8 "struct drm_lock");
        0x4008642b DRM_IOCTL_UNLOCK in(8 "struct drm_lock");
        0x4008642c DRM_IOCTL_FINISH in(8 "struct drm_lock");
        0xc00c642d DRM_IOCTL_PRIME_HANDLE_TO_FD inout(12 "struct drm_prime_handle");
        0xc00c642e DRM_IOCTL_PRIME_FD_TO_HANDLE inout(12 "struct drm_prime_handle");
        0x6430 DRM_IOCTL_AGP_ACQUIRE none;
        0x6431 DRM_IOCTL_AGP_RELEASE none;
        0x40046432 / 0x40086432 DRM_IOCTL_AGP_ENABLE refused "only drivers of before kernel mode setting have it";
        0x80206433 / 0x80386433 DRM_IOCTL_AGP_INFO refused "only drivers of before kernel mode setting have it";
        0xc0106434 / 0xc0206434 DRM_IOCTL_AGP_ALLOC refused "only drivers of before kernel mode setting have it";
        0x40106435 / 0x40206435 DRM_IOCTL_AGP_FREE refused "only drivers of before kernel mode setting have it";
        0x40086436 / 0x40106436 DRM_IOCTL_AGP_BIND refused "only drivers of before kernel mode setting have it";
        0x40086437 / 0x40106437 DRM_IOCTL_AGP_UNBIND refused "only drivers of before kernel mode setting have it";
        0xc0086438 / 0xc0106438 DRM_IOCTL_SG_ALLOC refused "only drivers of before kernel mode setting have it";
        0x40086439 / 0x40106439 DRM_IOCTL_SG_FREE refused "only drivers of before kernel mode setting have it";
        0xc010643a / 0xc018643a DRM_IOCTL_WAIT_VBLANK inout[drm_wait_vblank];
        0xc018643b DRM_IOCTL_CRTC_GET_SEQUENCE inout(24 "struct drm_crtc_get_sequence");
        0xc018643c DRM_IOCTL_CRTC_QUEUE_SEQUENCE inout(24 "struct drm_crtc_queue_sequence");
        0x4014643f / 0x4018643f DRM_IOCTL_UPDATE_DRAW refused "only drivers of before kernel mode setting have it";
        0xc04064a0 DRM_IOCTL_MODE_GETRESOURCES inout(64 "struct drm_mode_card_res");
        0xc06864a1 DRM_IOCTL_MODE_GETCRTC inout(104 "struct drm_mode_crtc");
        0xc06864a2 DRM_IOCTL_MODE_SETCRTC inout(104 "struct drm_mode_crtc");
        0xc01c64a3 DRM_IOCTL_MODE_CURSOR inout(28 "struct drm_mode_cursor");
        0xc02064a4 DRM_IOCTL_MODE_GETGAMMA inout(32 "struct drm_mode_crtc_lut");
        0xc02064a5 DRM_IOCTL_MODE_SETGAMMA inout(32 "struct drm_mode_crtc_lut");
        0xc01464a6 DRM_IOCTL_MODE_GETENCODER inout(20 "struct drm_mode_get_encoder");
        0xc05064a7 DRM_IOCTL_MODE_GETCONNECTOR inout(80 "struct drm_mode_get_connector");
        0xc04864a8 DRM_IOCTL_MODE_ATTACHMODE inout(72 "struct drm_mode_mode_cmd");
        0xc04864a9 DRM_IOCTL_MODE_DETACHMODE inout(72 "struct drm_mode_mode_cmd");
        0xc04064aa DRM_IOCTL_MODE_GETPROPERTY inout(64 "struct drm_mode_get_property");
        0xc01064ab DRM_IOCTL_MODE_SETPROPERTY inout(16 "struct drm_mode_connector_set_property");
        0xc01064ac DRM_IOCTL_MODE_GETPROPBLOB inout(16 "struct drm_mode_get_blob");
        0xc01c64ad DRM_IOCTL_MODE_GETFB inout(28 "struct drm_mode_fb_cmd");
        0xc01c64ae DRM_IOCTL_MODE_ADDFB inout(28 "struct drm_mode_fb_cmd");
        0xc00464af DRM_IOCTL_MODE_RMFB inout(4 "unsigned int");
        0xc01864b0 DRM_IOCTL_MODE_PAGE_FLIP inout(24 "struct drm_mode_crtc_page_flip");
        0xc01864b1 DRM_IOCTL_MODE_DIRTYFB inout(24 "struct drm_mode_fb_dirty_cmd");
        0xc02064b2 DRM_IOCTL_MODE_CREATE_DUMB inout(32 "struct drm_mode_create_dumb");
        0xc01064b3 DRM_IOCTL_MODE_MAP_DUMB inout(16 "struct drm_mode_map_dumb");
        0xc00464b4 DRM_IOCTL_MODE_DESTROY_DUMB inout(4 "struct drm_mode_destroy_dumb");
        0xc00c64b5 / 0xc01064b5 DRM_IOCTL_MODE_GETPLANERESOURCES inout[drm_mode_get_plane_res];
        0xc02064b6 DRM_IOCTL_MODE_GETPLANE inout(32 "struct drm_mode_get_plane");
        0xc03064b7 DRM_IOCTL_MODE_SETPLANE inout(48 "struct drm_mode_set_plane");
        0xc06464b8 / 0xc06864b8 DRM_IOCTL_MODE_ADDFB2 inout[drm_mode_fb_cmd2];
        0xc01c64b9 / 0xc02064b9 DRM_IOCTL_MODE_OBJ_GETPROPERTIES inout[drm_mode_obj_get_properties];
        0xc01464ba / 0xc01864ba DRM_IOCTL_MODE_OBJ_SETPROPERTY inout[drm_mode_obj_set_property];
        0xc02464bb DRM_IOCTL_MODE_CURSOR2 inout(36 "struct drm_mode_cursor2");
        0xc03864bc DRM_IOCTL_MODE_ATOMIC inout(56 "struct drm_mode_atomic");
        0xc01064bd DRM_IOCTL_MODE_CREATEPROPBLOB inout(16 "struct drm_mode_create_blob");
        0xc00464be DRM_IOCTL_MODE_DESTROYPROPBLOB inout(4 "struct drm_mode_destroy_blob");
        0xc00864bf DRM_IOCTL_SYNCOBJ_CREATE inout(8 "struct drm_syncobj_create");
        0xc00864c0 DRM_IOCTL_SYNCOBJ_DESTROY inout(8 "struct drm_syncobj_destroy");
        0xc01064c1 DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD inout(16 "struct drm_syncobj_handle");
        0xc01064c2 DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE inout(16 "struct drm_syncobj_handle");
        0xc02064c3 DRM_IOCTL_SYNCOBJ_WAIT inout(32 "struct drm_syncobj_wait");
        0xc01064c4 DRM_IOCTL_SYNCOBJ_RESET inout(16 "struct drm_syncobj_array");
        0xc01064c5 DRM_IOCTL_SYNCOBJ_SIGNAL inout(16 "struct drm_syncobj_array");
        0xc01864c6 DRM_IOCTL_MODE_CREATE_LEASE inout(24 "struct drm_mode_create_lease");
        0xc01064c7 DRM_IOCTL_MODE_LIST_LESSEES inout(16 "struct drm_mode_list_lessees");
        0xc01064c8 DRM_IOCTL_MODE_GET_LEASE inout(16 "struct drm_mode_get_lease");
        0xc00464c9 DRM_IOCTL_MODE_REVOKE_LEASE inout(4 "struct drm_mode_revoke_lease");
        0xc02864ca DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT inout(40 "struct drm_syncobj_timeline_wait");
        0xc01864cb DRM_IOCTL_SYNCOBJ_QUERY inout(24 "struct drm_syncobj_timeline_array");
        0xc02064cc DRM_IOCTL_SYNCOBJ_TRANSFER inout(32 "struct drm_syncobj_transfer");
        0xc01864cd DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL inout(24 "struct drm_syncobj_timeline_array");
        0xc06464ce / 0xc06864ce DRM_IOCTL_MODE_GETFB2 inout[drm_mode_fb_cmd2];
    }
    ["sys/ioctl.h", "linux/types.h", "linux/dma-buf.h"] {
        0x40086200 DMA_BUF_IOCTL_SYNC in(8 "struct dma_buf_sync");
        0x40046201 / 0x40086201 DMA_BUF_SET_NAME in(0 "char");
        0xc0086202 DMA_BUF_IOCTL_EXPORT_SYNC_FILE inout(8 "struct dma_buf_export_sync_file");
        0x40086203 DMA_BUF_IOCTL_IMPORT_SYNC_FILE in(8 "struct dma_buf_import_sync_file");
    }
    ["linux/types.h", "linux/sync_file.h"] {
        0xc0303e03 SYNC_IOC_MERGE inout(48 "struct sync_merge_data");
        0xc0383e04 SYNC_IOC_FILE_INFO inout(56 "struct sync_file_info");
    }
    ["linux/types.h", "linux/ioctl.h", "linux/dma-heap.h"] {
        0xc0184800 DMA_HEAP_IOCTL_ALLOC inout(24 "struct dma_heap_allocation_data");
    }
    ["linux/types.h", "linux/ioctl.h", "linux/udmabuf.h"] {
        0x40187542 UDMABUF_CREATE in(24 "struct udmabuf_create");
        0x40087543 UDMABUF_CREATE_LIST in(8 "struct udmabuf_create_list");
    }
    // The one structure of a driver that has a pointer (`i915_ioc32.c`).
    ["drm/i915_drm.h"] {
        0xc0086446 / 0xc0106446 DRM_IOCTL_I915_GETPARAM in[drm_i915_getparam];
    }
}

/// Whether a number is one of a graphics driver's own (`DRM_COMMAND_BASE` to `DRM_COMMAND_END`). The kernel has no other layouts for
/// 32-bit programs there, except in the row above: `drm_compat_ioctl` passes these on as they are.
#[must_use]
pub const fn is_of_a_driver(number: u32) -> bool {
    number >> 30 != 0 && matches!(number & 0xffff, 0x6440..0x64a0)
}
